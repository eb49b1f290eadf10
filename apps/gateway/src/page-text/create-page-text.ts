import type { Handlers } from '../http/handler.ts'
import type { WorkHandler } from '../queue/worker.ts'
import type { PageTextDoors } from './doors.ts'
import { gatherReadings } from './enqueue.ts'
import { readFax, readSkipped } from './read.ts'
import { pageTextHandlers, type PageTextRoutes } from './routes.ts'

/** What pages say, put together. */
export interface PageTexts {
  handlers: Handlers<PageTextRoutes>
  /** Does queued work of the kind `page_text`. */
  work: WorkHandler
}

/** @param onChange follows the settings in force */
export function createPageText(
  doors: PageTextDoors,
  onChange: (follow: (change: { keys: readonly string[] }) => Promise<void>) => void,
): PageTexts {
  doors.events.onRecording(gatherReadings(doors))
  onChange(async ({ keys }) => {
    if (keys.includes('fax_text') && doors.settings().fax_text) await readSkipped(doors)
  })
  return {
    handlers: pageTextHandlers(doors),
    work: (claim, signal) => readFax(doors, claim, signal),
  }
}
