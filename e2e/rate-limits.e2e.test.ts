import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway as startInside } from '../apps/gateway/src/testing/start-gateway.ts'
import type { Client } from '../packages/contract/src/index.ts'
import { Faxdeck } from '../packages/sdk-node/src/index.ts'
import { startGateway } from './harness/gateway-process.ts'

const sdkPython = fileURLToPath(new URL('../sdk-python', import.meta.url))
const hasPython = (() => {
  try {
    execFileSync('python3', ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** Sends so many faxes at once, each to a number of its own, and waits for each; prints how they ended. */
const program = `
import sys
from concurrent.futures import ThreadPoolExecutor
from faxdeck import Faxdeck
count = int(sys.argv[1])
client = Faxdeck()
def send_and_wait(n):
    return client.wait(client.send(f"+1555556{1000 + n}", f"Letter {n}".encode(), reference=f"python-{n}").id).status
with ThreadPoolExecutor(count) as pool:
    print(" ".join(pool.map(send_and_wait, range(count))))
`

async function withPython(baseUrl: string, apiKey: string, count: number): Promise<string[]> {
  const env = { PATH: process.env.PATH ?? '', PYTHONPATH: sdkPython, FAXDECK_URL: baseUrl, FAXDECK_API_KEY: apiKey }
  const { stdout } = await promisify(execFile)('python3', ['-c', program, String(count)], { env, timeout: 900_000 })
  return stdout.trim().split(' ')
}

function withNode(baseUrl: string, apiKey: string, count: number): Promise<string[]> {
  const faxdeck = new Faxdeck({ baseUrl, apiKey })
  const sendAndWait = async (n: number) => {
    const fax = await faxdeck.send({
      to: `+1555557${1000 + n}`,
      file: Buffer.from(`Letter ${n}`),
      reference: `node-${n}`,
    })
    return (await faxdeck.wait(fax.id)).status
  }
  return Promise.all(Array.from({ length: count }, (_, n) => sendAndWait(n)))
}

const keyOf = async (client: Client) => (await client.createApiKey({ body: { fax_access: 'own' } })).token

/** Both clients at once, each with a key of its own; then each key lists what it sent. */
async function sendWithBoth(url: string, client: Client, count: number): Promise<void> {
  const [node, python] = [await keyOf(client), await keyOf(client)]
  const ended = await Promise.all([
    withNode(url, node, count),
    hasPython ? withPython(url, python, count) : Promise.resolve([]),
  ])
  expect(ended[0]).toEqual(Array.from({ length: count }, () => 'SUCCESS'))
  expect(ended[1]).toEqual(hasPython ? ended[0] : [])
  const listed = new Set<string | null>()
  for await (const { reference } of new Faxdeck({ baseUrl: url, apiKey: node }).list()) listed.add(reference)
  expect(listed).toEqual(new Set(Array.from({ length: count }, (_, n) => `node-${n}`)))
}

describe('more faxes at once than a minute allows, sent and waited for', () => {
  it('all finish with both clients', async () => {
    const clock = { ahead: 0 }
    const env = { MAX_REQUESTS_PER_MINUTE: '8' }
    const { app, client } = await startInside({ env, now: () => new Date(Date.now() + clock.ahead) })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    // The minute of the gateway ends soon, so that nobody waits long for the next one.
    clock.ahead = (112_000 - (Date.now() % 60_000)) % 60_000
    await sendWithBoth(url, client, 12)
  })

  it.skipIf(!process.env['FAXDECK_LONG'])(
    'all of 150 finish with the default limits',
    { timeout: 900_000 },
    async () => {
      const gateway = await startGateway()
      onTestFinished(() => gateway.remove())
      await sendWithBoth(gateway.url, gateway.client, 150)
    },
  )
})
