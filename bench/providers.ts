// How many faxes a second one gateway hands to a cloud provider and follows to their end, and what that costs it.
import { setTimeout as sleep } from 'node:timers/promises'
import { reservePort } from '../apps/gateway/src/testing/reserve-port.ts'
import { GatewayProcess, unlimited } from '../e2e/harness/gateway-process.ts'
import { percentile, printFigures } from './figures.ts'
import { askHealth } from './load/ask-health.ts'
import { runLoad } from './load/run-load.ts'
import { ProviderProcess } from './providers/provider-process.ts'
import { residentMegabytes } from './resident-megabytes.ts'

const faxes = Number(process.argv[2] ?? 10_000)
const clients = 8
const longestSeconds = 900

const port = await reservePort()
const url = `http://127.0.0.1:${port}`
const provider = new ProviderProcess()
const env = await provider.start(url)
const own = { PUBLIC_API_URL: url, FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio', LANE_CONCURRENCY: '200' }
const gateway = new GatewayProcess(port, { env: { ...unlimited, ...env, ...own } })
try {
  await gateway.start()
  const order = { port, key: gateway.key, document: 'pdf', clients, atMost: faxes, firstNumber: 0 } as const
  const { accepted } = await runLoad({ ...order, seconds: longestSeconds })
  const open = async () => {
    const { jobs } = await gateway.client.getHealthStatus({})
    return jobs.queued + jobs.in_progress
  }
  const [backlog, begun, before] = [await open(), performance.now(), residentMegabytes(gateway.pid)]
  const health = askHealth(port, gateway.key)
  let max = before
  let halfWay = before
  for (let left = backlog; left > 0; left = await open()) {
    const resident = residentMegabytes(gateway.pid)
    max = Math.max(max, resident)
    if (left > backlog / 2) halfWay = resident
    if (performance.now() - begun > longestSeconds * 1000)
      throw new Error(`After ${longestSeconds} s ${left} are left.`)
    await sleep(250)
  }
  const seconds = (performance.now() - begun) / 1000
  const times = await health.stop()
  const taken = await provider.taken()
  const numbers = new Set(taken.map(({ to }) => to)).size
  if (taken.length !== accepted || numbers !== accepted) {
    throw new Error(`${accepted} were accepted; the provider got ${taken.length}, to ${numbers} numbers.`)
  }
  printFigures([
    { what: 'delivered per second', value: backlog / seconds, unit: '/s', goal: { atLeast: 200 } },
    { what: 'backlog at the start', value: backlog, unit: 'faxes' },
    { what: 'memory at the start', value: before, unit: 'MB' },
    { what: 'memory half-way', value: halfWay, unit: 'MB' },
    { what: 'memory at most', value: max, unit: 'MB' },
    { what: 'memory at the end', value: residentMegabytes(gateway.pid), unit: 'MB' },
    { what: 'GET /admin/health-status meanwhile, p50', value: percentile(times, 0.5), unit: 'ms' },
    {
      what: 'GET /admin/health-status meanwhile, p99',
      value: percentile(times, 0.99),
      unit: 'ms',
      goal: { atMost: 50 },
    },
  ])
} finally {
  provider.stop()
  await gateway.remove()
}
