import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from '../apps/gateway/src/base/db/connect.ts'
import { migrate } from '../apps/gateway/src/base/db/migrate.ts'
import { findFaxes } from '../apps/gateway/src/paper/page-text/find.ts'
import { percentile } from './figures.ts'
import { seedPages, wordOf } from './seed-pages.ts'

/** Search over the pages of faxes in SQLite, as the Inbox asks it: from ten thousand to a million pages. */
const sizes = (process.env['BENCH_PAGES'] ?? '10000,100000,1000000').split(',').map(Number)
const rounds = 300

/** Words by their rank in a language: number 0 is on nearly every page, number 30,000 on very few. */
const questions: Record<string, (round: number) => string> = {
  'a common word': (round) => wordOf(round % 20),
  'a usual word': (round) => wordOf(300 + round),
  'a rare word': (round) => wordOf(20_000 + round * 7),
  'two usual words': (round) => `${wordOf(200 + round)} ${wordOf(500 + round)}`,
  'two common words and a rare one': (round) => `${wordOf(1)} ${wordOf(2)} ${wordOf(25_000 + round)}`,
  'the beginning of a word, 3 letters': (round) => wordOf(40 + round).slice(0, 3),
  'the beginning of a word, 5 letters': (round) => wordOf(700 + round).slice(0, 5),
  'a name: two rare words': (round) => `${wordOf(9000 + round)} ${wordOf(12_000 + round)}`,
  'the end of a number, 4 digits': (round) => String(1000 + round * 7),
  'a whole number': (round) => `+1555${String(1_000_000 + round * 131)}`,
  'a word that is not there': (round) => `qqq${round}`,
}

const directory = await mkdtemp(join(tmpdir(), 'faxdeck-bench-'))
const path = join(directory, 'faxdeck.db')
const database = await connect(`sqlite:${path}`)
await migrate(database)

console.log('| pages | question | p50 ms | p99 ms | goal p99 |')
console.log('| ---: | --- | ---: | ---: | ---: |')
let filled = 0
const built: string[] = []
for (const size of sizes) {
  const begun = performance.now()
  seedPages(path, filled, size)
  filled = size
  const seconds = (performance.now() - begun) / 1000
  const gigabytes = (await stat(path)).size / 1e9
  built.push(`${size.toLocaleString('en')} pages: ${gigabytes.toFixed(2)} GB, ${seconds.toFixed(0)} s more to build`)
  const all: number[] = []
  for (const [name, question] of Object.entries(questions)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const from = performance.now()
      await findFaxes(database, 'received', question(round))
      times.push(performance.now() - from)
    }
    all.push(...times)
    times.sort((a, b) => a - b)
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
    console.log(`| ${size.toLocaleString('en')} | ${name} | ${p50.toFixed(1)} | ${p99.toFixed(1)} | 100 |`)
  }
  all.sort((a, b) => a - b)
  const [p50, p99] = [percentile(all, 0.5), percentile(all, 0.99)]
  console.log(`| ${size.toLocaleString('en')} | **all of them** | ${p50.toFixed(1)} | ${p99.toFixed(1)} | 100 |`)
}
console.log(`\n${built.join('; ')}. A page has 120 different words and its number, in the proportions of a language.`)
await database.close()
await rm(directory, { recursive: true })
