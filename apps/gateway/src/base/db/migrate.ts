import { sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './database.ts'
import { up as initial } from './migrations/0001-initial.ts'
import { up as pairing } from './migrations/0002-pairing.ts'
import { up as manifests } from './migrations/0003-manifests.ts'
import { up as providerSweeps } from './migrations/0004-provider-sweeps.ts'
import { up as tones } from './migrations/0005-tones.ts'
import { up as headerLine } from './migrations/0006-header-line.ts'
import { up as webhooks } from './migrations/0007-webhooks.ts'
import { up as approvals } from './migrations/0008-approvals.ts'
import { up as cover } from './migrations/0009-cover.ts'
import { up as uploads } from './migrations/0010-uploads.ts'
import { up as strays } from './migrations/0011-strays.ts'
import { up as linksGiven } from './migrations/0012-links-given.ts'
import { up as evidence } from './migrations/0013-evidence.ts'
import { up as attention } from './migrations/0014-attention.ts'
import { up as queueClock } from './migrations/0015-queue-clock.ts'
import { up as hold } from './migrations/0016-hold.ts'
import { up as storagePlaces } from './migrations/0017-storage-places.ts'
import { up as concerns } from './migrations/0018-concerns.ts'
import { up as settingVersions } from './migrations/0019-setting-versions.ts'
import { up as testHours } from './migrations/0021-test-hours.ts'
import { up as pageNotes } from './migrations/0022-page-notes.ts'
import { up as partial } from './migrations/0024-partial.ts'
import { up as pageText } from './migrations/0025-page-text.ts'
import { up as calls } from './migrations/0026-calls.ts'
import { up as inboundNotes } from './migrations/0028-inbound-notes.ts'
import { up as broadcasts } from './migrations/0030-broadcasts.ts'
import { up as jobOrders } from './migrations/0031-job-orders.ts'
import { up as inboxOrder } from './migrations/0032-inbox-order.ts'
import { up as faxAccess } from './migrations/0033-fax-access.ts'
import { up as faxLabels } from './migrations/0034-fax-labels.ts'
import { up as webhookAttempts } from './migrations/0035-webhook-attempts.ts'
import { up as people } from './migrations/0038-people.ts'
import { up as linkMaker } from './migrations/0039-link-maker.ts'
import { up as groups } from './migrations/0040-groups.ts'
import { up as groupLists } from './migrations/0041-group-lists.ts'
import { up as factors } from './migrations/0042-factors.ts'
import { up as singleSignOn } from './migrations/0043-single-sign-on.ts'
import { up as documentKeys } from './migrations/0044-document-keys.ts'
import { up as legalHolds } from './migrations/0045-legal-holds.ts'
import { up as prices } from './migrations/0047-prices.ts'
import { up as trailCopies } from './migrations/0048-trail-copies.ts'
import { up as faxOpenings } from './migrations/0049-fax-openings.ts'
import { up as requestGroups } from './migrations/0050-request-groups.ts'
import { up as factorsReset } from './migrations/0051-factors-reset.ts'
import { up as trailMarks } from './migrations/0052-trail-marks.ts'
import { up as keysAndLogouts } from './migrations/0053-keys-and-logouts.ts'
import { up as callingNumbers } from './migrations/0054-calling-numbers.ts'
import { up as incomplete } from './migrations/0055-incomplete.ts'
import { up as testAccounts } from './migrations/0056-test-accounts.ts'
import { up as numberSpelling } from './migrations/0057-number-spelling.ts'
import { up as version } from './migrations/0058-version.ts'
import { up as oldWords } from './migrations/0060-old-words.ts'
import { up as beliefs } from './migrations/0062-beliefs.ts'
import { up as unresolved } from './migrations/0064-unresolved.ts'
import { up as waiting } from './migrations/0067-waiting.ts'
import { up as receivedOrder } from './migrations/0068-received-order.ts'
import { up as receivedLimits } from './migrations/0069-received-limits.ts'
import { up as receivedDeletion } from './migrations/0070-received-deletion.ts'

const migrations: Record<string, Migration> = {
  '0001-initial': { up: initial },
  '0002-pairing': { up: pairing },
  '0003-manifests': { up: manifests },
  '0004-provider-sweeps': { up: providerSweeps },
  '0005-tones': { up: tones },
  '0006-header-line': { up: headerLine },
  '0007-webhooks': { up: webhooks },
  '0008-approvals': { up: approvals },
  '0009-cover': { up: cover },
  '0010-uploads': { up: uploads },
  '0011-strays': { up: strays },
  '0012-links-given': { up: linksGiven },
  '0013-evidence': { up: evidence },
  '0014-attention': { up: attention },
  '0015-queue-clock': { up: queueClock },
  '0016-hold': { up: hold },
  '0017-storage-places': { up: storagePlaces },
  '0018-concerns': { up: concerns },
  '0019-setting-versions': { up: settingVersions },
  '0021-test-hours': { up: testHours },
  '0022-page-notes': { up: pageNotes },
  '0024-partial': { up: partial },
  '0025-page-text': { up: pageText },
  '0026-calls': { up: calls },
  '0028-inbound-notes': { up: inboundNotes },
  '0030-broadcasts': { up: broadcasts },
  '0031-job-orders': { up: jobOrders },
  '0032-inbox-order': { up: inboxOrder },
  '0033-fax-access': { up: faxAccess },
  '0034-fax-labels': { up: faxLabels },
  '0035-webhook-attempts': { up: webhookAttempts },
  '0038-people': { up: people },
  '0039-link-maker': { up: linkMaker },
  '0040-groups': { up: groups },
  '0041-group-lists': { up: groupLists },
  '0042-factors': { up: factors },
  '0043-single-sign-on': { up: singleSignOn },
  '0044-document-keys': { up: documentKeys },
  '0045-legal-holds': { up: legalHolds },
  '0047-prices': { up: prices },
  '0048-trail-copies': { up: trailCopies },
  '0049-fax-openings': { up: faxOpenings },
  '0050-request-groups': { up: requestGroups },
  '0051-factors-reset': { up: factorsReset },
  '0052-trail-marks': { up: trailMarks },
  '0053-keys-and-logouts': { up: keysAndLogouts },
  '0054-calling-numbers': { up: callingNumbers },
  '0055-incomplete': { up: incomplete },
  '0056-test-accounts': { up: testAccounts },
  '0057-number-spelling': { up: numberSpelling },
  '0058-version': { up: version },
  '0060-old-words': { up: oldWords },
  '0062-beliefs': { up: beliefs },
  '0064-unresolved': { up: unresolved },
  '0067-waiting': { up: waiting },
  '0068-received-order': { up: receivedOrder },
  '0069-received-limits': { up: receivedLimits },
  '0070-received-deletion': { up: receivedDeletion },
}

/** The tables have changes that this version does not know. */
export class NewerDatabase extends Error {
  override name = 'NewerDatabase'
}

/** What was done to the tables and is none of ours; nothing where there are no tables yet. */
async function unknownChanges({ db }: Database): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.flatMap(({ name }) => (Object.hasOwn(migrations, name) ? [] : [name]))
}

async function refuseNewer(database: Database): Promise<void> {
  const [change] = (await unknownChanges(database)).reverse()
  if (change === undefined) return
  const row = await sql<{ version: string | null }>`select version from installation`
    .execute(database.db)
    .catch(() => undefined)
  const noted = row?.rows[0]?.version
  throw new NewerDatabase(
    `This database was used by a newer version of Faxdeck (${noted ?? `change ${change}`}). Install that version, or restore the backup from before the upgrade.`,
  )
}

/**
 * Brings the tables up to date. Safe when several processes do it at once.
 * @throws {NewerDatabase} otherwise what the database refused
 */
export async function migrate(database: Database): Promise<void> {
  await refuseNewer(database)
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('The tables could not be brought up to date.')
}
