import type { Handlers } from '../http/handler.ts'
import type { ApprovalDoors } from './doors.ts'
import { expireApprovals } from './expire.ts'
import { countWaiting } from './store.ts'
import { approvalHandlers, type ApprovalRoutes } from './routes.ts'

/** Faxes that assistants ask for, put together. */
export interface Approvals {
  handlers: Handlers<ApprovalRoutes>
  /** How many wait for a person. */
  waiting: () => Promise<number>
  /** Ends requests that nobody decided in time, and removes what is no longer needed of old ones. */
  expire: () => Promise<void>
}

export function createApprovals(doors: ApprovalDoors): Approvals {
  return {
    handlers: approvalHandlers(doors),
    waiting: () => countWaiting(doors.database.db, doors.now()),
    expire: () => expireApprovals(doors),
  }
}
