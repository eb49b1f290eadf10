import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import { expireApprovals } from './expire.ts'
import { approvalHandlers } from './routes.ts'

/** Takes the faxes that assistants ask for, and lets a person decide about them first. */
export const createApprovals = (context: GatewayContext) =>
  ({
    name: 'approvals',
    routes: approvalHandlers(context),
    expire: (now = context.now) => expireApprovals({ ...context, now }),
  }) satisfies Feature
