import type { GatewayContext } from '../../base/context.ts'
import type { RecordFile } from './ledger.ts'
import { jsonFile } from './record-file.ts'
import type { Subject } from './subject.ts'

export const readMe = Buffer.from(`Everything that Faxdeck has about one number or one person.

00-summary.pdf  read this first: what is in here, with names and local times
manifest.json   what was exported, when, by whom and why, the counts, and the SHA-256 of every other file
manifest.csv    every file before it with its size and SHA-256
faxes.csv       the faxes, one a line
subject.json    what is known of the number or person itself, and the legal holds on it
sent/           a folder for each sent fax: fax.json (details, attempts, timeline, webhook deliveries), original.* (the document
                as it was handed in), and as-sent.pdf (its pages as they were faxed, with cover page and header line) if it was tried
received/       a folder for each received fax, in the same way; original.* where the provider sent something else
requests/       faxes that assistants asked for
uploads/        documents that were handed over for a later request
audit-trail/    the entries of the audit trail that concern all this, with their hashes

as-sent.pdf is drawn again for this export, with the present paper size and resolution.
A number in a CSV file that begins with + has an apostrophe before it, so that a spreadsheet does not calculate with it.
Documents that were deleted before the export are listed in manifest.json under documents_not_included.
Times are UTC, except in 00-summary.pdf and the columns and fields that are called local.
`)

async function aboutNumber({ database: { db } }: GatewayContext, number: string) {
  const memory = await db.selectFrom('number_memory').selectAll().where('number', '=', number).execute()
  const owner = await db
    .selectFrom('group_numbers')
    .innerJoin('groups', 'groups.id', 'group_numbers.group_id')
    .select(['groups.id', 'groups.name'])
    .where('group_numbers.number', '=', number)
    .executeTakeFirst()
  return { number, group: owner ?? null, what_worked_with_it: memory }
}

async function aboutPerson({ database: { db } }: GatewayContext, id: string) {
  const account = await db
    .selectFrom('people')
    .select(['id', 'name', 'email', 'role', 'suspended', 'created_at', 'created_by', 'last_sign_in_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const groups = await db
    .selectFrom('group_members')
    .innerJoin('groups', 'groups.id', 'group_members.group_id')
    .select(['groups.id', 'groups.name'])
    .where('group_members.person_id', '=', id)
    .execute()
  const sessions = await db
    .selectFrom('person_sessions')
    .select(['created_at', 'active_at', 'address', 'browser', 'how'])
    .where('person_id', '=', id)
    .execute()
  const opened = await db.selectFrom('fax_openings').selectAll().where('person_id', '=', id).execute()
  return { account, groups, sessions, opened_with_reason: opened }
}

/** What is known of the subject itself, and the ids of the legal holds on it. */
export async function aboutFile(
  context: GatewayContext,
  subject: Subject,
  at: string,
): Promise<{ file: RecordFile; holds: ReadonlySet<string> }> {
  const isNumber = subject.kind === 'number'
  const about = isNumber ? await aboutNumber(context, subject.number) : await aboutPerson(context, subject.person)
  const holds = await context.database.db
    .selectFrom('legal_holds')
    .selectAll()
    .where('kind', '=', subject.kind)
    .where('subject', '=', isNumber ? subject.number : subject.person)
    .orderBy('placed_at')
    .execute()
  const file = jsonFile('subject.json', { ...about, legal_holds: holds }, at)
  return { file, holds: new Set(holds.map(({ id }) => id)) }
}
