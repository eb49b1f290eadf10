import type { CoverFields } from '@faxdeck/contract'
import { join } from 'node:path'
import { createAcceptance } from './accept.ts'
import { chooseCover, datedCover } from './cover.ts'
import { readTotals } from './counts.ts'
import type { FaxDoors } from './doors.ts'
import { createDrawing } from './drawing.ts'
import { expireFaxes } from './expire.ts'
import type { Upload } from '../http/handler.ts'
import type { Faxes } from './faxes.ts'
import { headerFor } from './header-line.ts'
import { lookUpHeld } from './look-up-held.ts'
import { createPressure } from './pressure.ts'
import { createPreviews } from './previews.ts'
import { readNumber } from './number.ts'
import { quoteDocument, type QuoteOptions } from './quote.ts'
import { report } from './report.ts'
import { resumeFaxes } from './resume.ts'
import { faxHandlers } from './routes.ts'
import { createSending } from './sending.ts'
import { faxHandler } from './work.ts'

/** Sending, put together. */
export async function createFaxes(given: Omit<FaxDoors, 'drawing'>): Promise<Faxes> {
  const pressure = createPressure()
  const doors: FaxDoors = { ...given, drawing: createDrawing(pressure.isHigh) }
  const setup = () => {
    const { fax_paper: paper, fax_resolution: resolution } = doors.settings()
    return { paper, resolution, header: headerFor(doors, doors.providers.outbound()) }
  }
  const directory = join(doors.directory, 'previews')
  const previews = await createPreviews(doors.documents, directory, setup)
  const cover = (given: CoverFields, toNumber: string | null) => {
    const kept = chooseCover(doors.settings(), doors.providers.outbound(), given)
    return kept && datedCover(kept, toNumber, doors.now())
  }
  const quote = async (file: Upload, { to, tones, ...given }: QuoteOptions) => {
    const number = to === undefined ? null : readNumber(to, doors.settings().default_country)
    const bytes = await doors.documents.intake(file.bytes, file.fileName)
    return quoteDocument({ documents: doors.documents, directory, setup }, bytes, {
      tones,
      cover: cover(given, number),
    })
  }
  const accept = createAcceptance(doors)
  const handlers = faxHandlers({ doors, accept, previews, quote, cover })
  return {
    handlers: { ...handlers, submitFax: (call) => pressure.around(async () => handlers.submitFax(call)) },
    sending: createSending(doors, accept, pressure, quote),
    isPressed: pressure.isHigh,
    work: faxHandler(doors),
    report: (provider, update) => report(doors, provider, update),
    resume: (provider) => resumeFaxes(doors, provider),
    totals: () => readTotals(doors.database, doors.now()),
    lookUpHeld: (signal) => lookUpHeld(doors, signal),
    expire: () => expireFaxes(doors),
  }
}
