import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { exportRecords } from './export.ts'

/** Hands out everything about one number or one person: for a request of access, or for a court. */
export const createRecords = (context: GatewayContext) =>
  ({
    name: 'records',
    routes: {
      exportRecords: ({ body, caller }) => exportRecords(context, body, caller.keyId),
    },
  }) satisfies Feature
