import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from '../base/db/connect.ts'
import { migrate } from '../base/db/migrate.ts'
import { PostgresServer } from './postgres-server.ts'

/** One PostgreSQL for all test files. It starts when the first of them asks, and migrates once: others get a copy. */
async function openShop() {
  const server = await PostgresServer.start()
  const url = await server.newDatabase()
  const database = await connect(url)
  await migrate(database)
  await database.close()
  const withTables = new URL(url).pathname.slice(1)
  return {
    newEmpty: () => server.newDatabase(),
    newWithTables: () => server.newDatabase(withTables),
    stop: () => server.remove(),
  }
}

let shop: ReturnType<typeof openShop> | undefined
const broker = createServer(({ url }, answer) => {
  shop ??= openShop()
  shop
    .then((open) => {
      if (url === '/ready') return 'ready'
      return url === '/with-tables' ? open.newWithTables() : open.newEmpty()
    })
    .then(
      (address) => answer.end(address),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
})

broker.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(broker.address() as AddressInfo).port}\n`)
})

// Standard input ends when the test run lets go of it, also when that run is killed.
process.stdin.resume().once('end', () => {
  broker.close()
  void shop
    ?.catch(() => undefined)
    .then((open) => open?.stop())
    .finally(() => process.exit())
})
