import { setTimeout as sleep } from 'node:timers/promises'
import { CallProblem, type Client } from '../../packages/contract/src/index.ts'
import { pdfOf } from '../harness/paper.ts'
import type { Dice } from './dice.ts'

/** One fax a client meant to send once, however often it had to ask. */
export interface Submission {
  idempotencyKey: string
  to: string
  /** How often it was posted. */
  posts: number
  /** The ids of the 202 answers; more than one is a fault. */
  ids: Set<string>
  /** Whose client does not ask again when it loses the connection. */
  careless: boolean
  /** The client lost the connection and did not ask again: the fax may have been taken, but only once. */
  givenUp: boolean
}

/** Numbers that several faxes go to, so that they have to wait for one another. */
const sharedNumbers = ['+15557770001', '+15557770002', '+15557770003']
const pdf = new Uint8Array(pdfOf([['A page that must not get lost.']]))
const retried = [0, 500, 503]
/** A gateway that a client cannot reach for so long does not come back. */
const patience = 150_000

/** @param number the how-many-th submission it is, over all clients */
function newSubmission(number: number, dice: Dice): Submission {
  const shared = dice.happens(0.1) ? sharedNumbers[Math.floor(dice.between(0, sharedNumbers.length))] : undefined
  return {
    idempotencyKey: `fax-${number}`,
    to: shared ?? `+1555${String(number).padStart(7, '0')}`,
    posts: 0,
    ids: new Set(),
    careless: shared === undefined && dice.happens(0.1),
    givenUp: false,
  }
}

function documentOf(submission: Submission, dice: Dice): File {
  if (dice.happens(0.5)) return new File([pdf], 'page.pdf', { type: 'application/pdf' })
  return new File([`For ${submission.to}\n${submission.idempotencyKey}\n`], 'page.txt', { type: 'text/plain' })
}

/** Posts until there is an answer, as a careful client does; a careless one stops after a lost connection. */
export async function submit(client: Client, submission: Submission, file: File, dice: Dice): Promise<void> {
  const headers = { 'idempotency-key': submission.idempotencyKey }
  const until = performance.now() + patience
  for (;;) {
    submission.posts += 1
    try {
      const fax = await client.submitFax({ form: { to: submission.to, file } }, { headers })
      submission.ids.add(fax.id)
      if (dice.happens(0.9)) return
    } catch (error) {
      if (!(error instanceof CallProblem) || !retried.includes(error.status) || performance.now() > until) throw error
      if (submission.careless && error.status === 0) {
        submission.givenUp = submission.ids.size === 0
        return
      }
      await sleep(dice.between(20, 120))
    }
  }
}

interface Habit {
  /** The longest pause between two faxes. */
  pauseMs: number
  dice: Dice
  stop: AbortSignal
}

/** Sends one fax after another until told to stop, and ends with the last one answered. */
export async function sendFaxes(client: Client, ledger: Submission[], { pauseMs, dice, stop }: Habit): Promise<void> {
  while (!stop.aborted) {
    const submission = newSubmission(ledger.length + 1, dice)
    ledger.push(submission)
    await submit(client, submission, documentOf(submission, dice), dice)
    await sleep(dice.between(5, pauseMs))
  }
}
