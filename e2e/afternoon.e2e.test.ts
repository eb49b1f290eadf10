import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { findProgram } from '../scripts/find-browser.mjs'
import { startFaxdeck } from './harness/command-line.ts'
import { type GatewayProcess, startGateway, unlimited } from './harness/gateway-process.ts'
import { blockWith } from './harness/page-programs.ts'
import { waitFor } from './harness/wait.ts'

const isLong = process.env.FAXDECK_LONG !== undefined
const kills = isLong ? 40 : 8
/** About as many changes of its folders as filing one fax makes. */
const changes = 10
const patienceSeconds = 120

/** What differs between the two languages; the programs themselves are the pages'. */
const languages = {
  Node: { language: 'js', installs: 'npm install', program: process.execPath, ending: 'mjs' },
  Python: { language: 'python', installs: 'pip install', program: 'python3', ending: 'py' },
} as const
type Language = (typeof languages)[keyof typeof languages]

let gateway: GatewayProcess
let folder: string
let env: Record<string, string>
const started: ChildProcess[] = []

/** Starts a program of a page, as its reader does; what it has printed so far. */
function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { cwd: folder, env: { PATH: process.env.PATH ?? '', ...env } })
  const printed = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed.text += text))
  }
  started.push(child)
  return { child, printed }
}
type Started = ReturnType<typeof start>

async function finish(program: string, args: readonly string[]): Promise<string> {
  const { child, printed } = start(program, args)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${printed.text}`)
  return printed.text
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

const shell = (text: string) => finish('bash', ['-euc', text])

/** Writes a program of a page under a name; how to start it. */
function write({ language, program, ending }: Language, name: string, page: string, words: string) {
  const file = `${name}.${ending}`
  writeFileSync(join(folder, file), blockWith(page, language, words))
  return () => start(program, [file])
}

const receive = () => gateway.client.simulateInbound({ body: { pages: 1 } })

async function received() {
  const { faxes } = await gateway.client.listReceived({ query: { limit: 100, order: 'oldest' } })
  return faxes
}

/** The SHA-256 of each document as the gateway gives it. */
async function contents(): Promise<Record<string, string>> {
  const found = (await received()).map(async ({ id }) => {
    const document = await gateway.client.getReceivedDocument({ params: { id }, query: { format: 'pdf' } })
    return [id, sha256(new Uint8Array(await document.arrayBuffer()))] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

beforeAll(async () => {
  gateway = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '0', FAX_TEXT: 'false' } })
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-afternoon-'))
  // No registry can be reached, and nothing of this checkout is in the way.
  env = {
    ...{ FAXDECK_URL: gateway.url, FAXDECK_API_KEY: gateway.key },
    ...{
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_cache: join(folder, '.npm'),
      npm_config_audit: 'false',
    },
    ...{
      PIP_NO_INDEX: '1',
      PIP_NO_CACHE_DIR: '1',
      PIP_TARGET: join(folder, 'python'),
      PYTHONPATH: join(folder, 'python'),
    },
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const made = await shell(blockWith('developers', 'sh', 'admin/api-keys'))
  env['FAXDECK_API_KEY'] = /"token":\s*"([^"]+)"/.exec(made)?.[1] ?? `no token in ${made}`
  await shell(blockWith('developers', 'sh', 'Idempotency-Key: hello-1'))
})
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL')
  await gateway.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** What of a filed fax was seen, and whether a part of one ever had a name. */
class Taker {
  readonly taken = new Map<string, string>()
  readonly faults: string[] = []
  readonly #consume: string

  constructor(consume: string) {
    this.#consume = consume
  }

  /** Takes every file that has a name, as a document system does that watches the folder. */
  take(): void {
    for (const name of readdirSync(this.#consume).filter((each) => !each.startsWith('.'))) {
      const path = join(this.#consume, name)
      const id = /^fax-(\w+)\.pdf$/.exec(name)?.[1] ?? name
      if (this.taken.has(id)) this.faults.push(`${name} was filed again.`)
      this.taken.set(id, sha256(readFileSync(path)))
      rmSync(path)
    }
  }
}

/** Kills a program at its n-th change of the folders it writes to. Whether it was in the middle of filing a fax. */
async function killAtChange({ child, printed }: Started, n: number, consume: string): Promise<boolean> {
  let seen = 0
  const watchers = [folder, consume].map((path) => {
    return watch(path, (_change, name) => {
      if (/^\.?fax-|^filed/.test(name ?? '') && ++seen === n) child.kill('SIGKILL')
    })
  })
  await Promise.race([once(child, 'close'), pause(patienceSeconds * 1000, undefined, { ref: false })])
  for (const watcher of watchers) watcher.close()
  if (child.signalCode !== 'SIGKILL') throw new Error(`The program was not killed at change ${n}:\n${printed.text}`)
  return readdirSync(consume).some((name) => name.endsWith('.part')) || existsSync(join(folder, 'filed.json.part'))
}

const chosen = Object.entries(languages).filter(([name]) => name === 'Node' || findProgram('pip'))

describe.each(chosen)('an afternoon with the pages and %s', (_name, way) => {
  const consume = () => join(folder, 'consume')

  it('installs the library, sends a fax and follows it', async () => {
    await shell(blockWith('developers', 'sh', way.installs))
    const follow = write(way, 'follow', 'developers', 'faxdeck.events()')()
    const send = write(way, 'send', 'developers', 'faxdeck.wait(fax.id)')
    // A stream shows what happens once it is open, so that faxes are sent until the first one is in it.
    await waitFor(
      'the delivery in the stream',
      async () => {
        const sent = send()
        await once(sent.child, 'close')
        expect(sent.printed.text).toContain('SUCCESS')
        return follow.printed.text.includes('fax.delivered') || undefined
      },
      patienceSeconds,
    )
    await kill(follow.child)
  })

  it('reads what arrives, also from a gateway that was restarted meanwhile', async () => {
    const { child, printed } = write(way, 'read', 'developers', 'faxdeck.received.follow()')()
    const printedAll = async () => {
      const faxes = await received()
      return faxes.length > 0 && faxes.every(({ id }) => printed.text.includes(id)) ? faxes : undefined
    }
    await waitFor('what had arrived', printedAll, patienceSeconds)
    await gateway.kill()
    await gateway.start()
    const { id } = await receive()
    const faxes = await waitFor('what arrived later', printedAll, patienceSeconds)
    expect(faxes.map((fax) => fax.id)).toContain(id)
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
    await kill(child)
    const read = faxes.map((fax) => [fax.id, sha256(readFileSync(join(folder, `${fax.id}.pdf`)))] as const)
    expect(Object.fromEntries(read)).toEqual(await contents())
  })

  it('files every fax once, whenever it is killed', async () => {
    mkdirSync(consume(), { recursive: true })
    rmSync(join(folder, 'filed.json'), { force: true })
    const file = write(way, 'file-faxes', 'recipes', 'received.follow')
    const taker = new Taker(consume())
    let killedInTheMiddle = 0
    for (let n = 1; n <= kills; n++) {
      await receive()
      if (await killAtChange(file(), 1 + (n % changes), consume())) killedInTheMiddle++
      taker.take()
    }
    const { child } = file()
    const all = () =>
      waitFor(
        'every fax to be filed',
        async () => {
          taker.take()
          const faxes = await received()
          return taker.taken.size === faxes.length ? faxes : undefined
        },
        patienceSeconds,
      )
    await all()
    await gateway.kill()
    await gateway.start()
    await receive()
    await all()
    await kill(child)
    taker.take()
    expect(taker.faults).toEqual([])
    expect(Object.fromEntries(taker.taken)).toEqual(await contents())
    expect(readdirSync(consume())).toEqual([])
    // A kill that hits nothing proves nothing.
    expect(killedInTheMiddle).toBeGreaterThan(0)
  })
})

it('the command line saves what arrives once, over kills of its own and of the gateway', async () => {
  const faxdeck = startFaxdeck(folder, { FAXDECK_URL: gateway.url, FAXDECK_API_KEY: gateway.key })
  const saved = join(folder, 'saved')
  mkdirSync(saved)
  const names = () => readdirSync(saved).filter((name) => name.endsWith('.pdf'))
  const follow = () => faxdeck.spawn(['inbox', '--follow', '--save', 'saved'])
  const all = () =>
    waitFor(
      'every fax to be saved',
      async () => {
        const faxes = await received()
        return names().length === faxes.length ? faxes : undefined
      },
      patienceSeconds,
    )
  await receive()
  const first = follow()
  onTestFinished(() => void first.kill('SIGKILL'))
  await waitFor('a saved fax', async () => names().length > 0 || undefined, patienceSeconds)
  await kill(first)
  const second = follow()
  onTestFinished(() => void second.kill('SIGKILL'))
  await all()
  await gateway.kill()
  await gateway.start()
  await receive()
  await all()
  expect([second.exitCode, second.signalCode]).toEqual([null, null])
  await kill(second)
  const found = names().map((name) => [name.slice(-36, -4), sha256(readFileSync(join(saved, name)))] as const)
  expect(Object.fromEntries(found)).toEqual(await contents())
})
