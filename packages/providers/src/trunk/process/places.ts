import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { lstatSync, mkdirSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EnginePlaces, ManagerAccess } from '../config/engine-conf.ts'
import type { AsteriskProgram } from './program.ts'

/** A path in sockaddr_un, with the zero that ends it. */
const longestSocketPath = 107

/** Where the Asterisk of a line lies: in its folder, but for the socket where the path of the folder is too long for one. */
export function placesOf(lineDirectory: string, { modules, data }: AsteriskProgram): EnginePlaces {
  const directory = join(lineDirectory, 'engine')
  const run = join(directory, 'run')
  const fits = Buffer.byteLength(join(run, 'asterisk.ctl')) <= longestSocketPath
  return { directory, run: fits ? run : shortRun(directory), modules, data }
}

/** @throws {Error} when somebody else has a folder of that name */
function shortRun(directory: string): string {
  const name = createHash('sha256').update(directory).digest('hex').slice(0, 16)
  const path = join(tmpdir(), `faxdeck-${name}`)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  const facts = lstatSync(path)
  if (!facts.isDirectory() || (process.getuid && facts.uid !== process.getuid())) {
    throw new Error(`The folder ${path} belongs to somebody else. Move the data directory to a shorter path.`)
  }
  return path
}

/** How to sign in at the Asterisk of this folder: made once, and kept for our user alone. */
export async function accessOf(directory: string): Promise<ManagerAccess> {
  try {
    const saved = JSON.parse(await readFile(accessFile(directory), 'utf8')) as Partial<ManagerAccess>
    const { port, password, keeperPassword } = saved
    if (Number.isSafeInteger(port) && isPassword(password) && isPassword(keeperPassword)) return saved as ManagerAccess
  } catch {
    // There is none yet, or only half of one.
  }
  return drawAccess(directory)
}

const isPassword = (value: unknown) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
const accessFile = (directory: string) => join(directory, 'access.json')

/** Makes new passwords, and finds a port that is free now. */
export async function drawAccess(directory: string): Promise<ManagerAccess> {
  const draw = () => randomBytes(32).toString('hex')
  const access = { port: await freePort(), password: draw(), keeperPassword: draw() }
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = accessFile(directory)
  await writeFile(`${path}.part`, JSON.stringify(access), { mode: 0o600 })
  await rename(`${path}.part`, path)
  return access
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
