import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../packages/contract/src/index.ts'
import type { Emulator } from '../../packages/provider-kit/src/emulator/index.ts'
import { pdfFile, pdfOf } from '../harness/paper.ts'
import type { Dice } from './dice.ts'
import { submit, type Submission } from './sender.ts'

/** A fax somebody sent to us, as the stand-in knows it. */
export interface Delivered {
  provider: string
  providerId: string
}

/**
 * Where something happens on the way: the line is busy, the call breaks off, the answer is lost, the first try is
 * refused for a while, callbacks come muddled or before the answer. Several faxes go to each of them.
 */
const eventful = ['0100', '0103', '0106', '0108', '0110', '0113'].map((digits) => `+1555555${digits}`)
/** No callback comes from here, so that each of its faxes, one after the other, lasts until the provider is asked. */
const silent = '+15555550107'
/** Ordinary numbers that several faxes go to, so that they have to wait for one another. */
const shared = ['+15557770001', '+15557770002', '+15557770003']

const oneOf = (numbers: readonly string[], dice: Dice) => numbers[Math.floor(dice.between(0, numbers.length))]

function newSubmission(number: number, isCalm: boolean, dice: Dice): Submission {
  const chance = isCalm ? 0.5 : dice.between(0, 1)
  const common = chance < 0.15 ? oneOf(eventful, dice) : chance < 0.25 ? oneOf(shared, dice) : undefined
  const odd = chance > 0.99 ? silent : common
  const idempotencyKey = `fax-${String(number).padStart(6, '0')}`
  const to = odd ?? `+1555${String(number).padStart(7, '0')}`
  return { idempotencyKey, to, posts: 0, ids: new Set(), careless: false, givenUp: false }
}

/** How many faxes there are to be: in all, of them to ordinary numbers first, and before the next change of the provider. */
export interface Quota {
  total: number
  calm: number
  now: number
}

/** Sends one fax after another, each with its key on its page, until there are as many as there are to be. */
export async function sendUpTo(quota: Quota, client: Client, ledger: Submission[], dice: Dice, stop: AbortSignal) {
  while (!stop.aborted && ledger.length < quota.total) {
    if (ledger.length >= quota.now) {
      await sleep(20)
      continue
    }
    const submission = newSubmission(ledger.length + 1, ledger.length < quota.calm, dice)
    ledger.push(submission)
    await submit(client, submission, pdfFile('letter.pdf', [[submission.idempotencyKey], ['The end.']]), dice)
    await sleep(dice.between(5, 80))
  }
}

/** What a page of a document says of the fax it is. */
export const keyIn = (pdf: Uint8Array): string | undefined =>
  /\((fax-\d{6})\)/.exec(Buffer.from(pdf).toString('latin1'))?.[1]

interface Arrivals {
  provider: string
  emulator: Emulator
  /** How many faxes come in. */
  count: number
  /** Whether some of them are announced to nobody, so that only the provider's list reports them. */
  someUntold: boolean
}

/** Lets faxes come in from one provider, at random moments and reported in every way. */
export async function receiveFaxes(arrivals: Arrivals, delivered: Delivered[], dice: Dice, stop: AbortSignal) {
  const { provider, emulator, count, someUntold } = arrivals
  for (let number = 1; number <= count && !stop.aborted; number += 1) {
    const lines = [`Fax ${number} from ${provider}`]
    const fax = { from: '+15551230000', to: '+15551230001', pages: 1, pdf: pdfOf([lines]) }
    const chance = dice.between(0, 1)
    const reported = chance < 0.3 ? 'twice' : someUntold && chance < 0.5 ? 'never' : 'once'
    delivered.push({ provider, providerId: await emulator.receive({ ...fax, reported }) })
    await sleep(dice.between(100, 1500))
  }
}
