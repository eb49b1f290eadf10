import type { CoverFields } from '@faxdeck/contract'
import { formatNumber } from '@faxdeck/contract/phone'
import type { Cover } from '@faxdeck/documents'
import type { Provider } from '@faxdeck/provider-kit'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { senderFor, timeInWords } from './header-values.ts'

/** The stored part of a cover page; where and when it was sent is stored with the fax. */
export interface StoredCover extends Omit<Cover, 'toNumber' | 'date'> {
  /** That of its date, so that a cover stays as it was sent; null for that of this machine. Covers of earlier versions lack it. */
  zone?: string | null
}

const texts = ['cover_to', 'cover_from', 'cover_subject', 'cover_note'] as const
const orNull = (text: string | undefined) => (text === undefined || text === '' ? null : text)

/**
 * The cover page that a caller asks for, or that the settings put before every fax; undefined for none.
 * @param from the number that the fax comes from, where it is not that of the line
 * @throws {Problem} `bad_cover` when there is something to say and no page to say it on
 */
export function chooseCover(
  settings: SettingsInForce,
  provider: Provider,
  given: CoverFields,
  from?: string,
): StoredCover | undefined {
  const template = given.cover ?? settings.fax_cover
  if (template === 'none') {
    const lost = texts.find((name) => orNull(given[name]) !== null)
    if (lost === undefined) return undefined
    const advice = `Set cover to plain, formal or confidential, or leave ${lost} out.`
    throw new Problem('bad_cover', `${lost} was given, but the fax has no cover page to print it on. ${advice}`)
  }
  const { sender, station } = senderFor(settings, provider, from)
  return {
    template,
    to: orNull(given.cover_to),
    from: orNull(given.cover_from) ?? sender,
    fromNumber: station === null ? null : formatNumber(station, settings.default_country),
    subject: orNull(given.cover_subject),
    note: orNull(given.cover_note),
    zone: settings.time_zone,
  }
}

/** What a repeat of the same request says of its cover page: nothing when it says nothing. */
export function coverTrace(given: CoverFields): string {
  const said = (['cover', ...texts] as const).filter((name) => orNull(given[name]) !== null)
  return said.length === 0 ? '' : JSON.stringify(said.map((name) => [name, given[name]]))
}

/** A kept cover as it is printed on a fax to this number from this moment. */
export function datedCover({ zone = null, ...kept }: StoredCover, toNumber: string | null, at: Date): Cover {
  return { ...kept, toNumber: toNumber === null ? null : formatNumber(toNumber), date: timeInWords(at, zone) }
}

const storedCover = (job: FaxJobRow) => (job.cover ? (JSON.parse(job.cover) as StoredCover) : undefined)

/** What page 1 of a job is; null when it is no cover page, or when the document was removed. */
export const coverTemplateOf = (job: FaxJobRow): Cover['template'] | null => storedCover(job)?.template ?? null

/** Whom the cover page of a job names; null when it names nobody. */
export const recipientOf = (job: FaxJobRow): string | null => storedCover(job)?.to ?? null

/** What the cover page of a job says, whomever it is for; null when it has none. */
export function coverTextOf(job: FaxJobRow): Pick<StoredCover, 'from' | 'subject' | 'note'> | null {
  const { from, subject, note } = storedCover(job) ?? {}
  return from === undefined || subject === undefined || note === undefined ? null : { from, subject, note }
}

/** The cover page of a job, the same for each attempt; undefined when it has none. */
export function coverOf(job: FaxJobRow): Cover | undefined {
  const kept = storedCover(job)
  return kept && datedCover(kept, job.to_number, new Date(job.created_at))
}
