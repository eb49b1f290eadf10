import { eventWords, isThumbnailEntry } from '@faxdeck/contract'
import { assertStillGood } from '../../access/actors/still-good.ts'
import { personIdOf } from '../../access/actors/person-id.ts'
import type { GatewayContext } from '../../base/context.ts'
import { inPages } from '../../base/db/in-pages.ts'
import type { AuditEventRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { csvLine } from '../../base/http/answers/csv.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { FileAnswer } from '../../base/http/handler.ts'
import { clockOf } from '../../paper/pages/header-values.ts'
import { isReceivedOf, readSubject, receivedNear, requestsOf, sentOf, type Subject } from './subject.ts'
import { statusWords } from './summary.ts'
import { concerns } from './trail.ts'

interface ReportAsked {
  kind: 'fax' | 'number' | 'person'
  subject: string
  from?: string | undefined
  until?: string | undefined
}

/** What is reported on: a fax, or whose records could be exported. */
type Reported = { kind: 'fax'; id: string } | Subject

const atOnce = 2000
/** More would be neither a document that a person reads nor one that an office prints. */
const maxEntries = 5000

/** A person by their id, or by a name that they have or had. @throws {Problem} `person_not_found`, `conflict` */
async function personCalled({ events, database: { db } }: GatewayContext, subject: string): Promise<string> {
  const id = subject.replace(/^person:/, '')
  if (await db.selectFrom('people').select('id').where('id', '=', id).executeTakeFirst()) return id
  const called = (await events.actorsCalled(subject)).flatMap((actor) => personIdOf(actor) ?? [])
  const [only, other] = called
  if (only === undefined) throw new Problem('person_not_found', 'Nobody here has this name, or had it.')
  if (other === undefined) return only
  const people = await db.selectFrom('people').select(['name', 'email']).where('id', 'in', called).execute()
  const list = people.map(({ name, email }) => `${name} (${email})`).join(', ')
  throw new Problem(
    'conflict',
    `Several people have or had this name: ${list}. Enter more of the name, or the person’s ID.`,
  )
}

async function reportedOf(context: GatewayContext, { kind, subject }: ReportAsked): Promise<Reported> {
  if (kind === 'person') return readSubject(context, { kind, subject: await personCalled(context, subject) })
  if (kind === 'number') return readSubject(context, { kind, subject })
  const { db } = context.database
  const id = subject.toLowerCase()
  const known = db.selectFrom('audit_events').select('seq').where('job_id', '=', id).limit(1)
  if (!(await known.executeTakeFirst())) throw new Problem('fax_not_found')
  return { kind, id }
}

/** The faxes and requests of a subject, and the holds on it, by which its entries are known. */
async function ownIds(context: GatewayContext, subject: Subject) {
  const { db } = context.database
  const columns = ['id', 'from_number', 'to_number'] as const
  const sent = await sentOf(context, subject).select('id').execute()
  const near = await receivedNear(context, subject).select(columns).execute()
  const requests = await requestsOf(context, subject).select('id').execute()
  const named = subject.kind === 'number' ? subject.number : subject.person
  const holds = db.selectFrom('legal_holds').select('id').where('kind', '=', subject.kind).where('subject', '=', named)
  const received = near.filter((fax) => isReceivedOf(subject, fax))
  return {
    faxes: new Set([...sent, ...received].map(({ id }) => id)),
    requests: new Set(requests.map(({ id }) => id)),
    holds: new Set((await holds.execute()).map(({ id }) => id)),
  }
}

type Row = Pick<AuditEventRow, 'seq' | 'ts' | 'event' | 'job_id' | 'key_id' | 'fields' | 'hash'>

/** The entries about the subject, oldest first. @throws {Problem} `too_large` */
async function entriesOf(context: GatewayContext, about: Reported, { from, until }: ReportAsked): Promise<Row[]> {
  const { db } = context.database
  const own = about.kind === 'fax' ? undefined : await ownIds(context, about)
  const isWanted = (row: Row) => about.kind === 'fax' || (own && concerns(row, about, own.holds, own))
  const pages = inPages<Row>(atOnce, (last) => {
    let rows = db
      .selectFrom('audit_events')
      .select(['seq', 'ts', 'event', 'job_id', 'key_id', 'fields', 'hash'])
      .where('seq', '>', last?.seq ?? 0)
    if (about.kind === 'fax') rows = rows.where('job_id', '=', about.id)
    if (from !== undefined) rows = rows.where('ts', '>=', from)
    if (until !== undefined) rows = rows.where('ts', '<', until)
    return rows.orderBy('seq').limit(atOnce).execute()
  })
  const entries: Row[] = []
  for await (const page of pages) {
    entries.push(...page.filter(isWanted))
    if (entries.length > maxEntries)
      throw new Problem('too_large', `A report has at most ${maxEntries} entries. Choose a shorter period.`)
  }
  return entries
}

type Facts = Readonly<Record<string, unknown>>

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined)

/** Who did it: their name then, and what the key is where it has none; nothing for the gateway itself. */
function whoOf({ key_id: id, key_name: name }: Facts): string {
  if (name !== undefined) return textOf(name) ?? ''
  if (id === 'bootstrap') return 'Bootstrap key'
  return id === undefined || id === null ? '' : `Key ${textOf(id)}`
}

const told: Readonly<Record<string, string>> = {
  person_name: 'person',
  to: 'to',
  from: 'from',
  pages: 'pages',
  page: 'page',
  status: 'status',
  error: 'error',
  reason: 'reason',
  outcome: 'outcome',
  role: 'role',
  address: 'address',
  sha256: 'SHA-256',
}

const detailsOf = (facts: Facts): string =>
  [
    ...Object.entries(told).flatMap(([fact, label]) => {
      const text = textOf(facts[fact])
      return text === undefined ? [] : [`${label} ${fact === 'status' ? statusWords(text) : text}`]
    }),
    ...(facts.test === true ? ['test only: nothing was sent or received'] : []),
  ].join(', ')

interface Line {
  seq: number
  at: string
  what: string
  who: string
  fax: string
  details: string
  hash: string
}

interface Report {
  title: string
  facts: (readonly [label: string, value: string])[]
  lines: Line[]
}

type InWords = ReturnType<typeof clockOf>['inWords']

const subjectWords = (about: Reported): string => {
  if (about.kind === 'fax') return `Fax ${about.id}`
  return about.kind === 'number' ? `Number ${about.number}` : `${about.name} (person ${about.person})`
}

function periodWords({ from, until }: ReportAsked, at: string, inWords: InWords): string {
  const begin = from === undefined ? 'From the first entry' : `From ${inWords(from)}`
  return `${begin} until ${inWords(until !== undefined && until < at ? until : at)}`
}

async function chainWords({ events }: GatewayContext): Promise<string> {
  const { intact, checked, broken_at: at } = await events.verify()
  if (intact)
    return `Verified for this report: all ${checked.toLocaleString('en-US')} entries are as they were recorded.`
  return `BROKEN at entry ${at}. Entries from there on may have been changed or removed.`
}

async function linesOf({ events }: GatewayContext, rows: readonly Row[]): Promise<Line[]> {
  const facts = await events.named(rows.map(({ fields }) => JSON.parse(fields) as Facts))
  return rows.map(({ seq, ts, event, job_id: fax, hash }, index) => {
    const known = facts[index] ?? {}
    const what = eventWords({ event, size: known.size })
    return { seq, at: ts, what, who: whoOf(known), fax: fax ?? '', details: detailsOf(known), hash }
  })
}

/** Collects a report and records that it was made, before anything is handed out. */
async function makeReport(context: GatewayContext, asked: ReportAsked, keyId: string): Promise<Report> {
  const { database, events, settings, now } = context
  const about = await reportedOf(context, asked)
  const rows = await entriesOf(context, about, asked)
  const shown = rows.filter(({ event, fields }) => !isThumbnailEntry({ event, ...(JSON.parse(fields) as Facts) }))
  const at = now().toISOString()
  const chain = await chainWords(context)
  await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    const subject =
      about.kind === 'fax'
        ? { job_id: about.id }
        : about.kind === 'number'
          ? { to: about.number }
          : { person: about.person }
    await events.reportMade({ key_id: keyId, kind: about.kind, entries: shown.length, ...subject }, tx)
  })
  const [maker = {}] = await events.named<Facts>([{ key_id: keyId }])
  const { zone, inWords } = clockOf(context)
  return {
    title: 'Audit report',
    facts: [
      ['Organization', settings.current().fax_header ?? 'Not named. Set “Header line: sender” in Settings.'],
      ['About', subjectWords(about)],
      ['Period', periodWords(asked, at, inWords)],
      ['Times', `Local time of this installation (${zone})`],
      ['Made by', whoOf(maker)],
      ['Made on', inWords(at)],
      ['Audit trail', chain],
      [
        'Entries',
        `${shown.length.toLocaleString('en-US')}. Thumbnails in lists, too small to be read, are left out: ${rows.length - shown.length}.`,
      ],
    ],
    lines: await linesOf(context, shown),
  }
}

/** `audit-report_2026-11-27`; never the number or the name, which a list of files would give away. */
const nameOf = ({ now }: GatewayContext, { kind }: ReportAsked) =>
  `audit-report_${kind}_${now().toISOString().slice(0, 10)}`

/** @throws {Problem} when the subject is not known, `too_large` */
export async function reportPdf(context: GatewayContext, asked: ReportAsked, keyId: string): Promise<FileAnswer> {
  const { title, facts, lines } = await makeReport(context, asked, keyId)
  const { inWords } = clockOf(context)
  const faxOf = ({ fax }: Line) => (fax === '' || asked.kind === 'fax' ? '' : ` Fax ${fax.slice(0, 8)}.`)
  const attempts = lines.map((line) => {
    const details = line.details === '' ? '' : ` ${line.details.charAt(0).toUpperCase()}${line.details.slice(1)}.`
    const who = line.who === '' ? '' : ` by ${line.who}`
    return `${inWords(line.at)}  ${line.what}${who}.${faxOf(line)}${details} (Entry ${line.seq})`
  })
  const outcome = `What the audit trail says about ${facts[1]?.[1] ?? ''}`
  const none = ['Nothing is recorded in this period.']
  const sheet = { title, outcome, facts, heading: 'Entries', attempts: attempts.length ? attempts : none }
  const { fax_paper: paper } = context.settings.current()
  const content = await context.documents.receipt({ ...sheet, picture: undefined }, { paper })
  return { content, fileName: `${nameOf(context, asked)}.pdf` }
}

/** The same as a table, below what it is about. @throws as `reportPdf` */
export async function reportCsv(context: GatewayContext, asked: ReportAsked, keyId: string): Promise<FileAnswer> {
  const { title, facts, lines } = await makeReport(context, asked, keyId)
  const { inWords } = clockOf(context)
  const head = [[title, ''], ...facts].map((cells) => csvLine(cells)).join('')
  const columns = csvLine(['Entry', 'Local time', 'UTC', 'Event', 'Who', 'Fax ID', 'Details', 'Hash of the entry'])
  const rows = lines.map(({ seq, at, what, who, fax, details, hash }) =>
    csvLine([seq, inWords(at), at, what, who, fax, details, hash]),
  )
  const content = Buffer.from(`${head}\r\n${columns}${rows.join('')}`)
  return { content, fileName: `${nameOf(context, asked)}.csv` }
}
