import { pdfOf } from '../../e2e/harness/paper.ts'
import { percentile } from '../figures.ts'
import { Connection } from './connection.ts'
import { prepareSubmission } from './submission.ts'

/** What to submit: how long, or how many. */
export interface Order {
  port: number
  key: string
  document: 'text' | 'pdf'
  clients: number
  /** Where the numbers begin that are faxed to. */
  firstNumber: number
  seconds: number
  /** Stops earlier when so many are accepted. */
  atMost: number
}
export interface Outcome {
  accepted: number
  seconds: number
  /** Milliseconds from the request's first byte to the answer's last. */
  p50: number
  p99: number
}

const page = Array.from({ length: 40 }, (_, line) => `Line ${line + 1}: the quick brown fax jumps over the lazy dog.`)
const documents = {
  text: { name: 'page.txt', type: 'text/plain', bytes: Buffer.from(page.join('\n')) },
  pdf: { name: 'page.pdf', type: 'application/pdf', bytes: pdfOf([page.slice(0, 27)]) },
}

async function load(order: Order): Promise<Outcome> {
  const times: number[] = []
  let next = order.firstNumber
  const begun = performance.now()
  const until = begun + order.seconds * 1000
  const one = async () => {
    const connection = await Connection.open(order.port)
    const submission = prepareSubmission(order.key, documents[order.document])
    while (performance.now() < until && next - order.firstNumber < order.atMost) {
      const asked = performance.now()
      const status = await connection.ask(submission.to(next++))
      if (status !== 202) throw new Error(`The gateway answered ${status} instead of 202.`)
      times.push(performance.now() - asked)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: order.clients }, one))
  const seconds = (performance.now() - begun) / 1000
  times.sort((a, b) => a - b)
  return { accepted: times.length, seconds, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }
}

// A process of its own, so that the load does not share the gateway's or the bench's thread.
process.once('message', (order: Order) => {
  void load(order).then(
    (outcome) => process.send?.(outcome, () => process.disconnect()),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
