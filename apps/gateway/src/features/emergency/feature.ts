import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { findFaxesToOpen } from './find-faxes.ts'

/** Looking for faxes outside of one's groups; `access/groups/break-glass.ts` opens them. */
export const createEmergency = (context: GatewayContext) =>
  ({
    name: 'emergency',
    routes: { findFaxesToOpen: ({ body, caller }) => findFaxesToOpen(context, body, caller) },
  }) satisfies Feature
