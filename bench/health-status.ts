// How often per second the gateway can be asked how it is: the call that consoles and monitors repeat for ever.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startGateway } from '../e2e/harness/gateway-process.ts'
import { printFigures } from './figures.ts'

interface Run {
  errors: number
  non2xx: number
  requests: { average: number }
  latency: { average: number; p99: number }
}

const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
const connections = 16

/** @param seconds how long to ask */
async function ask(url: string, key: string, seconds: number): Promise<Run> {
  const args = [autocannon, '-j', '-c', String(connections), '-d', String(seconds), '-H', `X-API-Key=${key}`, url]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const run = JSON.parse(stdout) as Run
  if (run.errors + run.non2xx > 0) throw new Error(`${run.errors + run.non2xx} requests were not answered with 200.`)
  return run
}

const gateway = await startGateway()
try {
  const url = `${gateway.url}/admin/health-status`
  await ask(url, gateway.key, 3)
  const run = await ask(url, gateway.key, 8)
  printFigures([
    {
      what: 'GET /admin/health-status',
      value: run.requests.average,
      unit: '/s',
      goal: { atLeast: 10_000 },
      predecessor: '725 /s',
    },
    { what: 'on average', value: run.latency.average, unit: 'ms' },
    { what: 'p99', value: run.latency.p99, unit: 'ms' },
  ])
} finally {
  await gateway.remove()
}
