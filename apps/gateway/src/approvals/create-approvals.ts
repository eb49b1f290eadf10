import type { Handlers } from '../http/handler.ts'
import { createUploads } from '../uploads/create-uploads.ts'
import type { ApprovalDoors } from './doors.ts'
import { expireApprovals } from './expire.ts'
import { approvalHandlers, type ApprovalRoutes } from './routes.ts'
import { countWaiting } from './store.ts'

/** How assistants send, put together: documents that come before their fax, and requests that a person decides about. */
export interface Approvals {
  handlers: Handlers<ApprovalRoutes | 'uploadDocument'>
  /** How many wait for a person. */
  waiting: () => Promise<number>
  /** Ends what nobody decided in time or asked for within its hour, and removes what is no longer needed. */
  expire: () => Promise<void>
}

export function createApprovals(given: Omit<ApprovalDoors, 'uploads'>): Approvals {
  const uploads = createUploads(given)
  const doors: ApprovalDoors = { ...given, uploads }
  return {
    handlers: { ...uploads.handlers, ...approvalHandlers(doors) },
    waiting: () => countWaiting(doors.database.db, doors.now()),
    expire: async () => {
      await uploads.expire()
      await expireApprovals(doors)
    },
  }
}
