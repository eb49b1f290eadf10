import type { Events } from '../base/events/events.ts'
import type { EventFacts } from '../base/events/facts.ts'

/** A record of a view stands for what the same person sees of the same fax until the quarter of an hour is over. */
const slotMs = 15 * 60_000

/**
 * Pixels. At 15 dots per inch, ordinary type is two or three dots high and cannot be read. At 184 pixels, the width of
 * the pages beside a job, a name can be made out; at 400 a page reads with ease.
 */
const thumbnailWidth = 128

interface Slot {
  begin: number
  /** Views that are recorded, or about to be. */
  recorded: Map<string, Promise<void>>
}

const slots = new WeakMap<Events, Slot>()

/** The present quarter of an hour. What was recorded in an earlier one is forgotten. */
function slotOf(events: Events, now: Date): Slot {
  const begin = Math.floor(now.getTime() / slotMs) * slotMs
  const present = slots.get(events)
  if (present?.begin === begin) return present
  const slot = { begin, recorded: new Map() }
  slots.set(events, slot)
  return slot
}

interface ViewContext {
  events: Events
  /** Whether this installation records views at all. */
  settings: { current: () => { audit_document_views: boolean } }
  now: () => Date
}
const isRecorded = ({ settings }: ViewContext) => settings.current().audit_document_views

interface View {
  job_id: string
  key_id: string
  page: number
  /** Pixels; undefined for the page in full. `excerpt`: some of its words, in the results of a search. */
  width: number | undefined | 'excerpt'
}

/** Records once in the present quarter of an hour what has one of the names; what fails is recorded the next time. */
async function recordOnce(
  { events, now }: Pick<ViewContext, 'events' | 'now'>,
  [name, ...included]: readonly [string, ...string[]],
  record: (until: string) => Promise<void>,
): Promise<void> {
  const { begin, recorded } = slotOf(events, now())
  const present = included.map((each) => recorded.get(each)).find(Boolean) ?? recorded.get(name)
  if (present) return present
  const recording = record(new Date(begin + slotMs).toISOString())
  recorded.set(name, recording)
  try {
    await recording
  } catch (error) {
    recorded.delete(name)
    throw error
  }
}

/**
 * Records that somebody sees pages of a document: once for each person or key, fax and quarter of an hour, so that
 * turning pages costs one transaction. A thumbnail that cannot be read is no view, and is recorded as what it is.
 * Await it before anything is handed out: a view that could not be recorded must not happen.
 */
export async function recordView(context: ViewContext, { job_id, key_id, page, width }: View): Promise<void> {
  if (!isRecorded(context)) return
  const isThumbnail = typeof width === 'number' && width <= thumbnailWidth
  const size = width === 'excerpt' ? 'excerpt' : isThumbnail ? 'thumbnail' : 'page'
  const nameOf = (seen: string) => `${seen} ${key_id} ${job_id}`
  await recordOnce(context, [nameOf(size), nameOf('page')], (until) => {
    const facts = { job_id, key_id, page, until }
    return size === 'thumbnail'
      ? context.events.thumbnailShown(facts)
      : context.events.documentViewed({ ...facts, size })
  })
}

/**
 * Records that somebody sees the numbers of a fax in full, as `recordView` does, also where views are not recorded.
 * Await it before a number is handed out.
 */
export async function recordNumberShown(
  context: Pick<ViewContext, 'events' | 'now'>,
  { job_id, key_id }: Pick<View, 'job_id' | 'key_id'>,
): Promise<void> {
  await recordOnce(context, [`number ${key_id} ${job_id}`], (until) =>
    context.events.numberShown({ job_id, key_id, until }),
  )
}

/** Records that somebody downloads the document of a sent fax: each time. Await it before the document is handed out. */
export async function recordDownload(context: ViewContext, facts: EventFacts['admin_pdf_download']): Promise<void> {
  if (isRecorded(context)) await context.events.adminPdfDownload(facts)
}

/** As `recordDownload`, of a received fax. */
export async function recordInboundDownload(
  context: ViewContext,
  facts: EventFacts['inbound_pdf_served'],
): Promise<void> {
  if (isRecorded(context)) await context.events.inboundPdfServed(facts)
}
