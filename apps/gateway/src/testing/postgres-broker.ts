import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { connect } from '../db/connect.ts'
import { migrate } from '../db/migrate.ts'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test asks for a database of its own. */
    postgresBroker: string
  }
}

/** One PostgreSQL for all test files. It starts when the first of them asks, and migrates once: others get a copy. */
async function openShop() {
  const server = await startPostgres()
  const url = await server.newDatabase()
  const database = await connect(url)
  await migrate(database)
  await database.close()
  const withTables = new URL(url).pathname.slice(1)
  return { ...server, newWithTables: () => server.newDatabase(withTables) }
}

let shop: ReturnType<typeof openShop> | undefined
const broker = createServer(({ url }, answer) => {
  shop ??= openShop()
  shop
    .then((open) => {
      if (url === '/ready') return 'ready'
      return url === '/with-tables' ? open.newWithTables() : open.newDatabase()
    })
    .then(
      (address) => answer.end(address),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
})

/** Runs before the test files, in the process that starts them. */
export async function setup(project: TestProject): Promise<void> {
  broker.listen(0, '127.0.0.1')
  await once(broker, 'listening')
  project.provide('postgresBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`)
}

/** Runs after them. */
export async function teardown(): Promise<void> {
  broker.close()
  const open = await shop?.catch(() => undefined)
  await open?.stop()
}
