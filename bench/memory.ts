// Resident memory of the gateway: at rest after the start, after 10,000 faxes submitted and delivered, and once it rests again.
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { waitFor } from '../e2e/harness/wait.ts'
import { printFigures } from './figures.ts'
import { runLoad } from './load/run-load.ts'
import { residentMegabytes } from './resident-megabytes.ts'

const faxes = Number(process.argv[2] ?? 10_000)
const clients = 4
const rest = 5000
/** Until then the document workers have ended and the heap has shrunk: what is left, the process keeps. */
const longRest = 30_000

const gateway = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '0' } })
try {
  await sleep(rest)
  const idle = residentMegabytes(gateway.pid)
  const begun = performance.now()
  const port = Number(new URL(gateway.url).port)
  const half = { port, key: gateway.key, clients, seconds: 600, atMost: faxes / 2 }
  await runLoad({ ...half, document: 'text', firstNumber: 0 })
  const loaded = residentMegabytes(gateway.pid)
  await runLoad({ ...half, document: 'pdf', firstNumber: 1_000_000 })
  await waitFor(
    'every fax to be delivered',
    async () => {
      const { jobs } = await gateway.client.getHealthStatus({})
      return jobs.queued + jobs.in_progress === 0 ? jobs : undefined
    },
    600,
  )
  const seconds = (performance.now() - begun) / 1000
  await sleep(rest)
  const after = residentMegabytes(gateway.pid)
  await sleep(longRest)
  const kept = residentMegabytes(gateway.pid)
  printFigures([
    { what: 'at rest after the start', value: idle, unit: 'MB', goal: { atMost: 150 } },
    { what: 'while submitting and delivering', value: loaded, unit: 'MB' },
    { what: `after ${faxes.toLocaleString('en-US')} faxes submitted and delivered`, value: after, unit: 'MB' },
    { what: 'the same, half a minute later', value: kept, unit: 'MB' },
    { what: 'submitted, delivered and received per second', value: faxes / seconds, unit: '/s' },
  ])
} finally {
  await gateway.remove()
}
