import type { InboundFax, Job } from '@faxdeck/contract'
import { addJob } from './faxes/fake-jobs.ts'
import { arrive, receivedFax } from './lines/fake-line.ts'
import { addGroup } from './people/fake-groups.ts'
import { addPerson } from './people/fake-people.ts'
import { addEvent } from './records/fake-logs.ts'
import { type FakeJob, instantOf, type World } from './world.ts'

export const minute = 60
export const hour = 60 * minute
export const day = 24 * hour

/** Does something in a world as if it were done so many seconds ago. */
export function ago<Result>(world: World, seconds: number, act: () => Result): Result {
  world.pass(-seconds)
  const result = act()
  world.pass(seconds)
  return result
}

/** Those who work in the clinic of the demo; the first of them is at the console. */
const staff = [
  { name: 'Dana Whitfield', role: 'administrator', group: null },
  { name: 'Ruth Alvarez', role: 'operator', group: 'Front desk' },
  { name: 'Jordan Okafor', role: 'member', group: 'Cardiology' },
  { name: 'Mei Tanaka', role: 'sender', group: 'Front desk' },
  { name: 'Priya Raman', role: 'auditor', group: null },
] as const
type Name = (typeof staff)[number]['name']

/** The numbers of the groups: none of them can be anybody's. */
const groups = { 'Front desk': '+13125550120', Cardiology: '+13125550110' } as const

/** Whom the clinic sends faxes to and has faxes from. */
export const partners = [
  ['Lakeside Imaging', '+13125550142'],
  ['Northside Pharmacy', '+17735550117'],
  ['Dr. Hannah Weiss', '+18475550163'],
  ['St. Brendan Hospital, Records', '+13125550188'],
  ['BlueRiver Insurance', '+16305550129'],
  ['County Health Department', '+17085550151'],
  ['Evergreen Dialysis', '+17735550174'],
  ['Home Care Partners', '+18475550135'],
  ['Midtown Physical Therapy', '+13125550196'],
] as const

/** What is faxed: the name of the document, and what it says. */
const papers = [
  [
    'referral-letter.pdf',
    'Dear colleague',
    'please see our patient',
    'Katharina Schmidt',
    'for chest pain on exertion',
  ],
  ['lab-results.pdf', 'Laboratory report', 'Hemoglobin 13.9 g/dL', 'Potassium 4.1 mmol/L', 'Patient Walter Novak'],
  ['prescription-renewal.pdf', 'Prescription renewal', 'Metoprolol 50 mg twice daily', 'Patient Ines Carvalho'],
  [
    'discharge-summary.pdf',
    'Discharge summary',
    'Admitted for pneumonia',
    'Patient Leon Brandt',
    'Follow-up in two weeks',
  ],
  ['prior-authorization.pdf', 'Prior authorization', 'MRI of the lumbar spine', 'Patient Amara Diallo', 'Approved'],
  ['echo-report.pdf', 'Echocardiogram', 'Ejection fraction 58 percent', 'No valve disease', 'Patient Sofia Lindgren'],
] as const

/** People and groups, as they have been for a year; the first person is at the console. */
export function addStaff(world: World): void {
  ago(world, 365 * day, () => {
    for (const { name, role } of staff) {
      const [first] = world.people
      const invited = first && { invited_by: { id: `person:${first.id}`, name: first.name } }
      addPerson(world, { name, role, second_factor: role !== 'sender', ...invited })
    }
    for (const [name, number] of Object.entries(groups)) {
      const inside = new Set<string>(staff.filter(({ group }) => group === name).map((each) => each.name))
      const members = world.people
        .filter((person) => inside.has(person.name))
        .map(({ id, name: called }) => ({ id, name: called }))
      addGroup(world, { name, numbers: [number], calling_number: number, members })
    }
  })
  world.people.forEach((person, at) => {
    Object.assign(person, { last_sign_in_at: instantOf(world.now() - (at * 95 + 20) * minute * 1000), sessions: 1 })
  })
  world.signedIn = world.people[0]?.id
}

export const personCalled = ({ people }: World, name: Name) => people.find((person) => person.name === name)
const groupCalled = ({ groups: all }: World, name: string | null) =>
  all.find((group) => group.name === name)?.id ?? null

/** Who did something, as the audit trail names them. */
const byPerson = (world: World, name: Name) => ({ key_id: `person:${personCalled(world, name)?.id}`, key_name: name })

interface Sent {
  from: Name
  to: number
  paper: number
  pages?: number
  /** The number of the test line whose outcome it has. */
  like?: string
  fields?: Partial<Job>
}

/** Somebody sends a document to a partner. */
export function send(world: World, { from, to, paper, pages = 2, like, fields = {} }: Sent): FakeJob {
  const [recipient, number] = partners[to % partners.length] ?? partners[0]
  const [file_name, ...text] = papers[paper % papers.length] ?? papers[0]
  const group_id = groupCalled(world, staff.find(({ name }) => name === from)?.group ?? null)
  const about = { ...byPerson(world, from), recipient, group_id, file_name, pages: pages + 1, cover: 'formal' } as const
  const fake = addJob(world, number, { ...about, ...fields }, world.now(), like)
  world.texts?.set(fake.job.id, text)
  return fake
}

/** A document of a partner arrives for a group. */
export function receive(world: World, from: number, paper: number, fields: Partial<InboundFax> = {}): InboundFax {
  const [, number] = partners[from % partners.length] ?? partners[0]
  const [, ...text] = papers[paper % papers.length] ?? papers[0]
  const [name, own] = Object.entries(groups)[paper % 2] ?? ['', '']
  const masked = (all: string) => `********${all.slice(-4)}`
  const ends = { fr: masked(number), to: masked(own), group_id: groupCalled(world, name) }
  const fax = receivedFax(world, { ...ends, pages: 1 + (paper % 4), ...fields })
  world.texts?.set(fax.id, fax.document_kept ? text : [])
  arrive(world, fax)
  return fax
}

/** Somebody of the group reads a received fax, prints it or keeps it. */
export function read(world: World, fax: InboundFax, name: Name, event = 'document_viewed'): void {
  addEvent(world, event, { job_id: fax.id, backend: fax.backend, ...byPerson(world, name) })
  fax.read_at ??= instantOf(world.now())
}
