// How many of our files and functions are executed for one call, by V8's precise coverage of a gateway that runs.
import type { Profiler } from 'node:inspector'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGateway, unlimited } from '../e2e/harness/gateway-process.ts'
import { waitFor } from '../e2e/harness/wait.ts'
import { printFigures } from './figures.ts'

const gateway = await startGateway({ env: unlimited, nodeFlags: ['--inspect=127.0.0.1:0'], fromSources: true })
const { client } = gateway

/** A session of the Chrome DevTools protocol with the gateway's event loop: sends a command and resolves with its result. */
async function openInspector(address: string) {
  const socket = new WebSocket(address)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let last = 0
  return <T>(method: string, params: object = {}): Promise<T> =>
    new Promise((resolve) => {
      const id = ++last
      const read = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data)) as { id: number; result: T }
        if (answer.id !== id) return
        socket.removeEventListener('message', read)
        resolve(answer.result)
      }
      socket.addEventListener('message', read)
      socket.send(JSON.stringify({ id, method, params }))
    })
}

try {
  const address = await waitFor('the inspector', async () => /ws:\/\/\S+/.exec(gateway.printed)?.[0])
  const inspect = await openInspector(address)
  await inspect('Profiler.enable')
  await inspect('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let next = 0
  const submit = () => {
    const file = new File(['Dear colleague,\nthe results are in.'], 'letter.txt', { type: 'text/plain' })
    return client.submitFax({ form: { to: `+1555555${String(1000 + next++)}`, file } })
  }
  const { id } = await submit()
  const calls = [
    { what: 'POST /fax', call: submit, files: 65, functions: 240 },
    { what: 'GET /fax/:id', call: () => client.getFax({ params: { id } }) },
    { what: 'GET /admin/fax-jobs', call: () => client.listJobs({ query: {} }), files: 30, functions: 90 },
    {
      what: 'PUT /admin/settings',
      call: () => client.updateSettings({ body: { testline_seconds: 3 + (next++ % 2) } }),
      files: 60,
      functions: 220,
    },
  ]
  const figures = []
  for (const { what, call, ...goals } of calls) {
    await call()
    // What the call before has left to be done is not this one's.
    await sleep(4000)
    await inspect('Profiler.takePreciseCoverage')
    await call()
    const { result } = await inspect<Profiler.TakePreciseCoverageReturnType>('Profiler.takePreciseCoverage')
    const ours = result
      .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
      .map(({ url, functions }) => ({ url, ran: functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0) }))
      .filter(({ ran }) => ran.length > 0)
    if (process.argv.includes('--list')) {
      const list = ours.map(({ url, ran }) => `${url}: ${ran.map(({ functionName }) => functionName || '·').join(' ')}`)
      console.log([`# ${what}`, ...list.sort()].join('\n'))
    }
    const functions = ours.reduce((sum, { ran }) => sum + ran.length, 0)
    const goal = (atMost: number | undefined) => (atMost === undefined ? {} : { goal: { atMost } })
    figures.push({ what, value: ours.length, unit: 'files', ...goal(goals.files) })
    figures.push({ what, value: functions, unit: 'functions', ...goal(goals.functions) })
  }
  printFigures(figures)
} finally {
  await gateway.remove()
}
