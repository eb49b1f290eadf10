import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { expireApprovals } from './expire.ts'
import { countWaitingApprovals } from './request.ts'
import { approvalHandlers } from './routes.ts'
import { expireUploads, uploadHandlers } from './uploads/uploads.ts'

/** Takes the faxes that assistants ask for, and lets a person decide about them first. */
export const createApprovals = (context: GatewayContext) =>
  ({
    name: 'approvals',
    routes: { ...approvalHandlers(context), ...uploadHandlers(context) },
    expire: async (now = context.now) => {
      await Promise.all([expireUploads({ ...context, now }), expireApprovals({ ...context, now })])
    },
    /** How many requests wait for a person. */
    countWaiting: () => countWaitingApprovals(context),
  }) satisfies Feature & Record<string, unknown>
