import { expect, it } from 'vitest'
import type { Browser } from '../../testing/browser.ts'
import { type CallAbout, callsAbout } from './testing/calls-about.ts'
import { delivered, groupWith, onBothDatabases, receivedOn, sendAs } from './testing/two-groups.ts'

/** Tries of each call with each id. */
const tries = Number(process.env.FAXDECK_TRIES ?? 300)
const warmUp = 20
const neverId = '5f1d07c2a94be836d2107c5e8ab3f960'

/** How long an answer takes, in milliseconds. */
async function timeOf(browser: Browser, { method, path, more }: CallAbout): Promise<number> {
  const began = performance.now()
  await browser.ask(method, path, more)
  return performance.now() - began
}

const quantile = (sorted: readonly number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? 0

/**
 * How often an answer for the one takes longer than an answer for the other (Mann and Whitney, 1947): 0.5 when nobody can
 * tell them apart, 0 or 1 when one answer is enough.
 */
function probabilityOfLonger(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((ms) => ({ ms, isOne: true })), ...other.map((ms) => ({ ms, isOne: false }))]
  const ranks = all.toSorted((a, b) => a.ms - b.ms)
  const sum = ranks.reduce((total, { isOne }, at) => total + (isOne ? at + 1 : 0), 0)
  return (sum - (one.length * (one.length + 1)) / 2) / (one.length * other.length)
}

/** Makes two calls in turn, in an order that changes by chance, so that whatever else the machine does hits both alike. */
async function compare(browser: Browser, foreign: CallAbout, never: CallAbout) {
  const times: [number[], number[]] = [[], []]
  for (let n = -warmUp; n < tries; n++) {
    const order = Math.random() < 0.5 ? ([0, 1] as const) : ([1, 0] as const)
    for (const which of order) {
      const ms = await timeOf(browser, which === 0 ? foreign : never)
      if (n >= 0) times[which].push(ms)
    }
  }
  const [there, nowhere] = times.map((each) => each.toSorted((a, b) => a - b)) as [number[], number[]]
  return {
    call: foreign.name,
    foreign_ms: quantile(there, 0.5).toFixed(3),
    never_ms: quantile(nowhere, 0.5).toFixed(3),
    difference_us: Math.round((quantile(there, 0.5) - quantile(nowhere, 0.5)) * 1000),
    longer: Number(probabilityOfLonger(there, nowhere).toFixed(3)),
  }
}

onBothDatabases((open) => {
  it.runIf(process.env.FAXDECK_LONG)(
    'how long answers about a fax outside of the own groups take, and about one that never was',
    { timeout: 1_800_000 },
    async () => {
      const gateway = await open()
      const { browser } = await groupWith(gateway, { name: 'Ours', number: '+15555550110', person: 'mia' })
      const theirs = await groupWith(gateway, { name: 'Theirs', number: '+15555550120', person: 'otto' })
      const recipients = '+15555559871\n+15555559872'
      const many = { to: '+15555559871', word: 'Foreign', fields: { recipients } }
      const ids = {
        sent: await delivered(gateway, theirs.browser, { to: '+15555559871' }),
        received: await receivedOn(gateway, '+15555550120', '+15555558866'),
        broadcast: String((await sendAs(theirs.browser, many, '/fax/broadcasts')).body.id),
      }
      const never = callsAbout(neverId)
      const engine = gateway.gateway.settings.current().database_url.split(':')[0]
      let compared = 0
      for (const [kind, id] of Object.entries(ids)) {
        for (const [at, call] of callsAbout(id).entries()) {
          const other = never[at]
          if (!other) continue
          const figures = { engine, tries, kind, ...(await compare(browser, call, other)) }
          process.stdout.write(`${JSON.stringify(figures)}\n`)
          compared += 1
        }
      }
      expect(compared).toBeGreaterThan(60)
    },
  )
})
