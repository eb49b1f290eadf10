import type { Deletion, LegalHold, RetentionRule } from '@faxdeck/contract'
import { type FakeCalls, findIn, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'
import { addEvent } from './fake-logs.ts'

const noDeletion = {
  ...{ number: null, group_name: null, sent_by: null, sha256: null, pages: null },
  ...{ created_at: null, reason: null, days: null, rule_group: null },
} as const

/** What is known of documents and their keeping in a world; a blank one at first. */
const careOf = (world: World) => (world.care ??= { holds: [], rules: [], deletions: [] })

/** What deletions of the world go by. */
export const cleaningOf = (world: World) =>
  (careOf(world).cleaning ??= {
    believed_at: instantOf(world.now()),
    paused_at: null,
    paused_by_name: null,
    announced: 0,
    deletes_at: null,
  })

/** A hold in the world. */
export function addHold(world: World, fields: Pick<LegalHold, 'kind' | 'subject' | 'reason'> & Partial<LegalHold>) {
  const names = { group: world.groups, person: world.people, fax: [], number: [], key: [] }[fields.kind]
  const hold: LegalHold = {
    id: world.nextId(12),
    subject_name: names.find(({ id }) => id === fields.subject)?.name ?? null,
    placed_by: 'bootstrap',
    placed_by_name: null,
    placed_at: instantOf(world.now()),
    lifted_by: null,
    lifted_by_name: null,
    lifted_at: null,
    lift_reason: null,
    ...fields,
  }
  careOf(world).holds.unshift(hold)
  addEvent(world, 'hold_placed', { hold: hold.id })
  return hold
}

/** A document that was deleted in the world. */
export function addDeletion(world: World, fields: Partial<Deletion>): void {
  const { deletions } = careOf(world)
  deletions.unshift({
    seq: deletions.length + 1,
    at: instantOf(world.now()),
    fax_id: world.nextId(),
    direction: 'received',
    hash: world.nextId(64),
    ...noDeletion,
    ...fields,
  })
}

/** Rules as a string that changes with them. */
const versionOf = (rules: readonly RetentionRule[]) =>
  rules.map(({ direction, group_id: group, days }) => `${direction}${group}${days}`).join() || 'none'

function holdCalls(world: World) {
  const groupOfFax = (id: string) =>
    world.jobs.find(({ job }) => job.id === id)?.job.group_id ?? world.inbound.find((fax) => fax.id === id)?.group_id
  const numberOfFax = (id: string) => world.jobs.find(({ job }) => job.id === id)?.to
  const keeps = (hold: LegalHold, fax: string) => {
    const subjects = { fax, number: numberOfFax(fax), group: groupOfFax(fax), person: undefined, key: undefined }
    return hold.lifted_at === null && subjects[hold.kind] === hold.subject
  }
  return {
    listHolds: ({ query }) => {
      const { holds } = careOf(world)
      const { fax } = query ?? {}
      return fax === undefined ? holds : holds.filter((hold) => keeps(hold, fax))
    },
    placeHold: ({ body }) => {
      const number = body.kind === 'number' ? (numberOfFax(body.subject) ?? body.subject) : body.subject
      return addHold(world, { ...body, subject: number })
    },
    liftHold: ({ params, body }) => {
      const hold = findIn(careOf(world).holds, ({ id }) => id === params.id, 'hold_not_found')
      if (hold.lifted_at !== null) throw new Refusal('conflict', 'This hold has been lifted already.')
      const lifted = { lifted_by: 'bootstrap', lifted_at: instantOf(world.now()), lift_reason: body.reason }
      return Object.assign(hold, lifted)
    },
  } satisfies FakeCalls
}

/** Holds, rules and deletions of one world, in which nothing is deleted by itself. */
export function retentionCalls(world: World) {
  const shown = () => {
    const { rules } = careOf(world)
    return { sent_days: 0, received_days: 30, rules, version: versionOf(rules), cleaning: cleaningOf(world) }
  }
  const deletedIn = ({ from = '', until = '9' }: { from?: string | undefined; until?: string | undefined }) =>
    careOf(world).deletions.filter(({ at }) => at >= from && at < until)
  return {
    ...holdCalls(world),
    getRetention: shown,
    pauseDeletions: () => {
      Object.assign(cleaningOf(world), { paused_at: instantOf(world.now()), announced: 0, deletes_at: null })
      return shown()
    },
    resumeDeletions: () => {
      cleaningOf(world).paused_at = null
      return shown()
    },
    confirmClock: () => {
      cleaningOf(world).believed_at = instantOf(world.now())
      return shown()
    },
    setRetention: ({ body }) => {
      const care = careOf(world)
      if (body.version !== versionOf(care.rules))
        throw new Refusal('conflict', 'Somebody has changed the retention rules since you opened them.')
      care.rules = body.rules
      return shown()
    },
    listDeletions: ({ query }) => ({ deletions: deletedIn(query), next: null }),
    exportRecords: ({ body }) => {
      addEvent(world, 'records_exported', { kind: body.kind })
      return new TextEncoder().encode('PK')
    },
    reportRecords: ({ body }) => {
      addEvent(world, 'report_made', { kind: body.kind })
      return new TextEncoder().encode('%PDF-1.4')
    },
    reportRecordsCsv: ({ body }) => {
      addEvent(world, 'report_made', { kind: body.kind })
      return new TextEncoder().encode('Audit report,\r\n')
    },
    exportDeletions: ({ query }) => {
      const lines = deletedIn(query ?? {}).map(({ seq, at, fax_id: id }) => `${seq},${at},${id}`)
      return new TextEncoder().encode(['Entry,Deleted,Fax ID', ...lines].join('\r\n'))
    },
  } satisfies FakeCalls
}
