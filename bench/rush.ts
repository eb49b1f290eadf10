// Whether a broadcast goes on while people look and others send: its rate with nobody there and with callers, in turns.
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../apps/gateway/src/testing/reserve-port.ts'
import { GatewayProcess, unlimited } from '../e2e/harness/gateway-process.ts'
import { pdfOf } from '../e2e/harness/paper.ts'
import { median, percentile, printFigures } from './figures.ts'
import { askHealth } from './load/ask-health.ts'
import { Connection } from './load/connection.ts'
import { prepareSubmission } from './load/submission.ts'
import { ProviderProcess } from './providers/provider-process.ts'

const rounds = Number(process.argv[2] ?? 3)
const faxes = Number(process.argv[3] ?? 900)
/** A broadcast that stands still is given up. */
const longestMs = 30_000
/** An open console asks no more than twice a second (see `live.ts`). */
const readers = { many: 20, everyMs: 500 }
const submitters = { many: 8, everyMs: 1000 }
const pdf = { name: 'page.pdf', type: 'application/pdf', bytes: pdfOf([['The clinic moves on Monday.']]) }

const port = await reservePort()
const url = `http://127.0.0.1:${port}`
const provider = new ProviderProcess()
const env = await provider.start(url)
const own = { PUBLIC_API_URL: url, FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio', LANE_CONCURRENCY: '200' }
const gateway = new GatewayProcess(port, { env: { ...unlimited, ...env, ...own } })
const list = Buffer.from(`GET /admin/fax-jobs HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${gateway.key}\r\n\r\n`)
const numberOf = (n: number) => `+1555${String(n).padStart(7, '0')}`
let next = 2_000_000
/** When each single fax was accepted, by its number. */
const accepted = new Map<string, number>()

/** Calls again and again from connections of their own, evenly spread, until the signal. */
async function each({ many, everyMs }: typeof readers, signal: AbortSignal, call: (on: Connection) => Promise<void>) {
  const one = async (n: number) => {
    const connection = await Connection.open(port)
    await sleep((n * everyMs) / many)
    while (!signal.aborted) {
      await call(connection)
      await sleep(everyMs)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: many }, (_, n) => one(n)))
}

async function read(on: Connection): Promise<void> {
  const status = await on.ask(list)
  if (status !== 200) throw new Error(`The gateway answered ${status} instead of its jobs.`)
}

async function submit(on: Connection): Promise<void> {
  const to = next++
  const status = await on.ask(Buffer.from(prepareSubmission(gateway.key, pdf).to(to)))
  if (status !== 202) throw new Error(`The gateway answered ${status} instead of 202.`)
  accepted.set(numberOf(to), Date.now())
}

/** Faxes of a broadcast that reach the provider in a second, and the times of the health meanwhile, sorted. */
async function broadcast(isLookedAt: boolean): Promise<{ rate: number; health: number[] }> {
  const numbers = Array.from({ length: faxes }, () => numberOf(next++))
  const ours = new Set(numbers)
  const health = askHealth(port, gateway.key)
  const over = new AbortController()
  const callers = isLookedAt ? [each(readers, over.signal, read), each(submitters, over.signal, submit)] : []
  const begun = Date.now()
  await gateway.client.createBroadcast({
    form: { file: new File([Buffer.from(pdf.bytes)], pdf.name, { type: pdf.type }), recipients: numbers.join('\n') },
  })
  const taken = async () => (await provider.taken()).filter(({ to }) => ours.has(to))
  let there = await taken()
  while (there.length < faxes && Date.now() - begun < longestMs) {
    await sleep(100)
    there = await taken()
  }
  over.abort()
  await Promise.all(callers)
  const until = there.length < faxes ? Date.now() : (there.at(-1)?.at ?? 0)
  const times = await health.stop()
  while ((await taken()).length < faxes || (await underWay()) > 0) await sleep(100)
  return { rate: (there.length / (until - begun)) * 1000, health: times }
}

async function underWay(): Promise<number> {
  const { jobs } = await gateway.client.getHealthStatus({})
  return jobs.queued + jobs.in_progress
}

try {
  await gateway.start()
  await broadcast(false)
  const [quiet, rush]: Awaited<ReturnType<typeof broadcast>>[][] = [[], []]
  for (let round = 0; round < rounds; round++) {
    quiet?.push(await broadcast(false))
    rush?.push(await broadcast(true))
  }
  const rateOf = (phases: typeof quiet = []) => median(phases.map(({ rate }) => rate))
  const health = (rush ?? []).flatMap((phase) => phase.health).toSorted((a, b) => a - b)
  const waits = (await provider.taken()).flatMap(({ to, at }) => at - (accepted.get(to) ?? Infinity))
  const singles = waits.filter(Number.isFinite).toSorted((a, b) => a - b)
  printFigures([
    { what: 'of a broadcast, sent per second: nobody there', value: rateOf(quiet), unit: '/s' },
    { what: '20 readers and 8 submitters', value: rateOf(rush), unit: '/s' },
    {
      what: 'the same, of the rate with nobody there',
      value: (100 * rateOf(rush)) / rateOf(quiet),
      unit: '%',
      goal: { atLeast: 80 },
    },
    {
      what: 'single faxes until the provider has them, p99',
      value: percentile(singles, 0.99),
      unit: 'ms',
      goal: { atMost: 1000 },
    },
    { what: 'GET /admin/health-status meanwhile, p50', value: percentile(health, 0.5), unit: 'ms' },
    {
      what: 'GET /admin/health-status meanwhile, p99',
      value: percentile(health, 0.99),
      unit: 'ms',
      goal: { atMost: 100 },
    },
  ])
} finally {
  provider.stop()
  await gateway.remove()
}
