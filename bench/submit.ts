// How many faxes are accepted per second, and what one costs: each document opened and measured, synced to storage and
// committed before its 202.
import { startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { type Figure, printFigures } from './figures.ts'
import { runLoad } from './load/run-load.ts'
import { measureThreads } from './load/thread-times.ts'

const clients = 8
const measured = 10
const warmUp = 3
/** Faxes whose processor time is measured, after half as many that are not. */
const counted = 2000

/** Nothing is delivered meanwhile: on a busy machine more would be delivered for each fax that is accepted. */
async function measureCost(document: 'text' | 'pdf'): Promise<Figure[]> {
  const gateway = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '600' } })
  try {
    const order = { port: Number(new URL(gateway.url).port), key: gateway.key, clients, document, seconds: 3600 }
    await runLoad({ ...order, firstNumber: 0, atMost: counted / 2 })
    const spent = measureThreads(gateway.pid)
    const { accepted } = await runLoad({ ...order, firstNumber: 500_000, atMost: counted })
    const { main, documents } = spent()
    const [what, unit] = [document === 'text' ? 'one-page text' : 'one-page PDF', 'ms']
    return [
      { what: `${what}, processor time of the event loop`, value: main / accepted, unit, goal: { atMost: 1 } },
      { what: `${what}, processor time of the document threads`, value: documents / accepted, unit },
    ]
  } finally {
    await gateway.remove()
  }
}

const costs = [...(await measureCost('text')), ...(await measureCost('pdf'))]
if (process.argv.includes('--cost')) {
  printFigures(costs)
  process.exit()
}
const gateway = await startGateway({ env: unlimited })
try {
  const order = { port: Number(new URL(gateway.url).port), key: gateway.key, clients, atMost: 1_000_000 }
  const submit = async (document: 'text' | 'pdf', firstNumber: number) => {
    await runLoad({ ...order, document, firstNumber, seconds: warmUp })
    return runLoad({ ...order, document, firstNumber: firstNumber + 500_000, seconds: measured })
  }
  const text = await submit('text', 0)
  const pdf = await submit('pdf', 1_000_000)
  const latency = { unit: 'ms', goal: { atMost: 50 } }
  printFigures([
    {
      what: 'one-page text',
      value: text.accepted / text.seconds,
      unit: '/s',
      goal: { atLeast: 1000 },
      predecessor: '380 /s',
    },
    { what: 'one-page text, p50', value: text.p50, unit: 'ms' },
    { what: 'one-page text, p99', value: text.p99, ...latency, predecessor: '41 ms' },
    {
      what: 'one-page PDF',
      value: pdf.accepted / pdf.seconds,
      unit: '/s',
      goal: { atLeast: 500 },
      predecessor: '380 /s',
    },
    { what: 'one-page PDF, p50', value: pdf.p50, unit: 'ms' },
    { what: 'one-page PDF, p99', value: pdf.p99, ...latency, predecessor: '41 ms' },
    ...costs,
  ])
} finally {
  await gateway.remove()
}
