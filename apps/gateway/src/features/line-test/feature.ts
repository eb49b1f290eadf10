import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { lineTestHandlers } from './routes.ts'

/** Tries the line that sends with a call to its own number. */
export const createLineTest = (context: GatewayContext) =>
  ({ name: 'line-test', routes: lineTestHandlers(context) }) satisfies Feature
