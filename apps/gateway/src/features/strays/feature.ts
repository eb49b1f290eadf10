import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { strayCleanup } from './remove-strays.ts'

/** Removes documents that belong to nothing. */
export const createStrays = (context: GatewayContext) =>
  ({ name: 'strays', expire: strayCleanup(context) }) satisfies Feature
