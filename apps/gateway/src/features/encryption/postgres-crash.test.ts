import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import { migrate } from '../../base/db/migrate.ts'
import { createLocalStorage } from '../../base/storage/local.ts'
import { PostgresServer } from '../../testing/postgres-server.ts'
import { encryptStorage } from '../../base/encryption/encrypt-storage.ts'
import { keysOf } from '../../base/encryption/testing/keys-of.ts'

it('a document that was put can be opened although PostgreSQL crashes before anything else is committed', async () => {
  const postgres = await PostgresServer.start({ isDurable: true })
  onTestFinished(() => postgres.remove())
  const database = await connect(await postgres.newDatabase())
  onTestFinished(() => database.close())
  await migrate(database)
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-crashed-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const keys = keysOf(database, { master: Buffer.alloc(32, 7), choice: () => 'on' })
  const storage = encryptStorage(createLocalStorage(directory), keys)
  const document = Buffer.from('%PDF-1.4 A letter')
  await storage.put('faxes/aa/first.pdf', document)
  for (const round of [1, 2, 3]) {
    const name = `faxes/aa/${round}.pdf`
    await storage.put(name, document)
    // The gateway goes on, and what it commits next names the document.
    await postgres.restart('immediate')
    const opened = () => storage.open(name).then(({ content }) => buffer(content))
    await expect.poll(() => opened().catch((error: unknown) => String(error)), { timeout: 20_000 }).toEqual(document)
  }
})
