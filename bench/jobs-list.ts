import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from '../apps/gateway/src/base/db/connect.ts'
import { migrate } from '../apps/gateway/src/base/db/migrate.ts'
import { listJobs } from '../apps/gateway/src/fax/read/list.ts'
import { presentSummary } from '../apps/gateway/src/fax/read/present.ts'
import { seedJobs } from './seed-jobs.ts'

/** The list of jobs as the gateway reads it, from a thousand to a million jobs in SQLite. Other sizes can be named. */
const named = process.argv.slice(2).map(Number)
const sizes = named.length > 0 ? named : [1_000, 100_000, 1_000_000]
const rounds = 400
const roundsOfOrder = 60
const roundsOfSearch = 5
const goalOfOrder = 50

const directory = await mkdtemp(join(tmpdir(), 'faxdeck-bench-'))
const path = join(directory, 'faxdeck.db')
const database = await connect(`sqlite:${path}`)
await migrate(database)

const abilities = () => ({ isTest: false, supportsCancel: true, supportsStatus: true })
const questions = {
  'first page': {},
  'status FAILED': { status: 'FAILED' },
  'status and provider': { status: 'SUCCESS', backend: 'sinch' },
  'one day': { from: '2025-01-01', to_date: '2025-01-01' },
  'search: last digits': { q: '4242' },
  'search: a word': { q: 'referral-77' },
} as const

/** Milliseconds that half, and 99 of 100, of the answers took at most. */
async function measure(query: object, rounds: number): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    await listJobs(database, { limit: 50, ...query }, (jobs) => jobs.map((job) => presentSummary(job, abilities())))
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(rounds * 0.5)] ?? 0, p99: times[Math.floor(rounds * 0.99)] ?? 0 }
}

console.log('| jobs | question | p50 ms | p99 ms | goal p99 | predecessor at 1 M |')
console.log('| ---: | --- | ---: | ---: | ---: | ---: |')
let filled = 0
for (const size of sizes) {
  seedJobs(path, filled, size, { uncertainEach: 997 })
  filled = size
  for (const [name, query] of Object.entries(questions)) {
    const { p50, p99 } = await measure(query, rounds)
    const isGoal = !name.startsWith('search')
    const predecessor = name === 'first page' && size === 1_000_000 ? '130' : ''
    console.log(
      `| ${size.toLocaleString('en')} | ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${isGoal ? '5' : ''} | ${predecessor} |`,
    )
  }
}
/** Every filter that the console offers, alone and together, and every order. */
const statuses = ['', 'queued', 'in_progress', 'SUCCESS', 'FAILED', 'attention', 'held'] as const
const backends = ['', 'sinch'] as const
const end = Date.UTC(2025, 0, 1) + filled * 1000
const since = (hours: number) => new Date(end - hours * 3_600_000).toISOString()
const ranges = {
  always: {},
  '1 h': { from: since(1) },
  '24 h': { from: since(24) },
  '30 d': { from: since(720) },
  'an hour of ends': { from: since(30), to_date: since(29), time: 'ended' },
  'a day of ends': { from: since(48), to_date: since(24), time: 'ended' },
} as const
const searches = { '': {}, 'last digits': { q: '4242' }, 'a word': { q: 'referral-77' } } as const
const orders = (['created', 'updated', 'ended', 'pages'] as const).flatMap((sort) =>
  (['desc', 'asc'] as const).map((direction) => ({ sort, direction })),
)

interface Slowest {
  p50: number
  p99: number
  what: string
}

/** The slowest of all combinations with an order; what the list refuses to sort is counted. */
async function measureOrder(order: (typeof orders)[number], search: object) {
  let slowest: Slowest = { p50: 0, p99: 0, what: '' }
  let [tried, refused] = [0, 0]
  for (const status of statuses) {
    for (const backend of backends) {
      for (const [name, range] of Object.entries(ranges)) {
        const query = { ...order, ...range, ...search, ...(status && { status }), ...(backend && { backend }) }
        tried += 1
        const found = await measure(query, 'q' in search ? roundsOfSearch : roundsOfOrder).catch(() => undefined)
        if (!found) refused += 1
        else if (found.p99 > slowest.p99)
          slowest = { ...found, what: [status, backend, name].filter(Boolean).join(', ') }
      }
    }
  }
  return { ...slowest, tried, refused }
}

console.log(`\nEvery order with every filter, ${filled.toLocaleString('en')} jobs, the slowest of each:\n`)
console.log('| order | search | combinations | refused | slowest | p50 ms | p99 ms | goal p99 |')
console.log('| --- | --- | ---: | ---: | --- | ---: | ---: | ---: |')
for (const [name, search] of Object.entries(searches)) {
  for (const order of name === '' ? orders : orders.slice(0, 1)) {
    const { p50, p99, what, tried, refused } = await measureOrder(order, search)
    const goal = name === '' ? goalOfOrder : ''
    const cells = [
      `${order.sort} ${order.direction}`,
      name || 'none',
      tried,
      refused,
      what,
      p50.toFixed(2),
      p99.toFixed(2),
    ]
    console.log(`| ${[...cells, goal].join(' | ')} |`)
  }
}
await database.close()
await rm(directory, { recursive: true })
