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
}

/**
 * Brings the tables up to date. Safe when several processes do it at once.
 * @throws what the database refused
 */
export async function migrate(database: Database): Promise<void> {
  const migrator = new Migrator({ db: database.db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined)
    throw error instanceof Error ? error : new Error('The tables could not be brought up to date.')
}
