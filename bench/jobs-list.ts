import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from '../apps/gateway/src/db/connect.ts'
import { migrate } from '../apps/gateway/src/db/migrate.ts'
import { listJobs } from '../apps/gateway/src/faxes/read/list.ts'
import { presentSummary } from '../apps/gateway/src/faxes/read/present.ts'
import { seedJobs } from './seed-jobs.ts'

/** The list of jobs as the gateway reads it, from a thousand to a million jobs in SQLite; fewer where an argument says so. */
const largest = Number(process.argv[2] ?? 1_000_000)
const sizes = [1_000, 100_000, 1_000_000].filter((size) => size <= largest)
const rounds = 400

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
async function measure(query: object): Promise<{ p50: number; p99: number }> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const from = performance.now()
    await listJobs(database, { limit: 50, ...query }, (job) => presentSummary(job, abilities()))
    times.push(performance.now() - from)
  }
  times.sort((a, b) => a - b)
  return { p50: times[Math.floor(rounds * 0.5)] ?? 0, p99: times[Math.floor(rounds * 0.99)] ?? 0 }
}

console.log('| jobs | question | p50 ms | p99 ms | goal p99 | predecessor at 1 M |')
console.log('| ---: | --- | ---: | ---: | ---: | ---: |')
let filled = 0
for (const size of sizes) {
  seedJobs(path, filled, size)
  filled = size
  for (const [name, query] of Object.entries(questions)) {
    const { p50, p99 } = await measure(query)
    const isGoal = !name.startsWith('search')
    const predecessor = name === 'first page' && size === 1_000_000 ? '130' : ''
    console.log(
      `| ${size.toLocaleString('en')} | ${name} | ${p50.toFixed(2)} | ${p99.toFixed(2)} | ${isGoal ? '5' : ''} | ${predecessor} |`,
    )
  }
}
await database.close()
await rm(directory, { recursive: true })
