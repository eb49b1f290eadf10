import { randomBytes } from 'node:crypto'
import type { Tx } from '../../base/db/database.ts'
import type { Events } from '../../base/events/events.ts'
import { readNumber } from '../../base/number.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { insertGroup, insertNumber, nameKeyOf, ownerOf } from './store.ts'

/** A number as groups keep it; undefined when it is not a number. */
function numberOf(typed: string, country: string): string | undefined {
  try {
    return readNumber(typed, country)
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}

interface Grouped {
  /** Of a group by its name. */
  idOf: (name: string) => string | null
  made: number
  /** Rules whose number belongs to the group. */
  rules: number
  left: string[]
}

/** Mailboxes become groups without people, unless groups of these names are there. Numbers stay with who has them. */
export async function importGroups(
  tx: Tx,
  events: Pick<Events, 'groupCreated'>,
  groups: readonly { name: string; numbers: readonly string[] }[],
  { country, at }: { country: string; at: string },
): Promise<Grouped> {
  const ids = new Map<string, string>()
  const left: string[] = []
  let [made, rules] = [0, 0]
  for (const { name, numbers } of groups) {
    const key = nameKeyOf(name)
    const row = { id: randomBytes(6).toString('hex'), name, name_key: key, created_at: at, created_by: 'import' }
    if (await insertGroup(tx, { ...row, calling_number: null })) {
      made++
      await events.groupCreated({ key_id: 'import', group: row.id, name }, tx)
    }
    const group = await tx.selectFrom('groups').select('id').where('name_key', '=', key).executeTakeFirstOrThrow()
    ids.set(key, group.id)
    for (const typed of numbers) {
      const number = numberOf(typed, country)
      if (number !== undefined) await insertNumber(tx, group.id, number)
      if (number !== undefined && (await ownerOf(tx, number)) === group.id) rules++
      else left.push(`The number ${typed} of the mailbox ${name} is no fax number, or belongs to another group.`)
    }
  }
  return { idOf: (name) => ids.get(nameKeyOf(name)) ?? null, made, rules, left }
}
