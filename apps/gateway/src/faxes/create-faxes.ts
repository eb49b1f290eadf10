import { join } from 'node:path'
import { createAcceptance } from './accept.ts'
import { readTotals } from './counts.ts'
import type { FaxDoors } from './doors.ts'
import { expireFaxes } from './expire.ts'
import type { Faxes } from './faxes.ts'
import { createPreviews } from './previews.ts'
import { report } from './report.ts'
import { faxHandlers } from './routes.ts'
import { faxHandler } from './work.ts'

/** Sending, put together. */
export async function createFaxes(doors: FaxDoors): Promise<Faxes> {
  const setup = () => {
    const { fax_paper: paper, fax_resolution: resolution } = doors.settings()
    return { paper, resolution }
  }
  const previews = await createPreviews(doors.documents, join(doors.directory, 'previews'), setup)
  const accept = createAcceptance(doors)
  return {
    handlers: faxHandlers({ doors, accept, previews }),
    work: faxHandler(doors),
    report: (provider, update) => report(doors, provider, update),
    totals: () => readTotals(doors.database, doors.now()),
    expire: () => expireFaxes(doors),
  }
}
