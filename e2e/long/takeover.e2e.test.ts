import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient, wireCalls } from '../../packages/contract/src/index.ts'
import { gatewayProcess } from '../../scripts/start/gateway-process.mjs'
import { unlimited } from '../harness/gateway-process.ts'
import { waitFor } from '../harness/wait.ts'

const { main, flags, env: ownEnv } = gatewayProcess(fileURLToPath(new URL('../..', import.meta.url)))
const key = 'e2e-bootstrap-key-0123456789abcdef'

/** As systemd does: keeps the listening socket, and starts the gateway again whenever it ends. */
const supervisor = `
export LISTEN_FDS=1
while :; do
  sh -c 'export LISTEN_PID=$$; exec "$@"' sh "$@" &
  echo "started $!"
  wait $! 2> /dev/null
done`

/** A gateway behind a socket that outlives it. */
async function supervised() {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-takeover-'))
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as { port: number }
  const { fd } = (listener as unknown as { _handle: { fd: number } })._handle
  const settings = { HOST: '127.0.0.1', PORT: '1', FAX_DATA_DIR: directory, FAX_DISABLED: 'true', API_KEY: key }
  const env = { PATH: process.env.PATH ?? '', ...ownEnv, ...settings, ...unlimited }
  const holder: ChildProcess = spawn('sh', ['-c', supervisor, 'sh', process.execPath, ...flags, main], {
    env,
    stdio: ['ignore', 'pipe', 'inherit', fd],
  })
  listener.close()
  const pids: number[] = []
  holder.stdout?.setEncoding('utf8').on('data', (text: string) => {
    for (const [, pid] of text.matchAll(/^started (\d+)$/gm)) pids.push(Number(pid))
  })
  onTestFinished(async () => {
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    for (const pid of pids.slice(-1)) process.kill(pid, 'SIGKILL')
    await sleep(100)
    rmSync(directory, { recursive: true, force: true })
  })
  return { port, pids }
}

const boundary = 'x'
const part = (name: string, rest: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}`
const form = Buffer.from(
  `${part('to', '\r\n\r\n+15555550123')}\r\n${part('file', '; filename="letter.txt"\r\ncontent-type: text/plain\r\n\r\nDear colleague')}\r\n--${boundary}--\r\n`,
)

/** Submits a fax over a connection of its own, its second half when `rest` says so. */
async function submit(port: number, rest?: Promise<unknown>): Promise<string> {
  const headers = {
    'x-api-key': key,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': form.length,
  }
  const sent = request({ port, host: '127.0.0.1', path: '/fax', method: 'POST', headers, agent: false })
  const answered = once(sent, 'response')
  answered.catch(() => undefined)
  if (rest) {
    sent.write(form.subarray(0, form.length / 2))
    await rest
    sent.end(form.subarray(form.length / 2))
  } else sent.end(form)
  const [answer] = await answered
  const body = (await json(answer)) as { id: string }
  if (answer.statusCode !== 202) throw new Error(`${answer.statusCode}: ${JSON.stringify(body)}`)
  return body.id
}

describe('a gateway whose socket a supervisor holds', () => {
  it('is replaced by its successor under load: no request is refused, no upload cut off, no fax lost', async () => {
    const { port, pids } = await supervised()
    const client = createClient(wireCalls(), { baseUrl: `http://127.0.0.1:${port}`, key: () => key })
    // The first connection waits in the socket until there is a gateway.
    await expect(client.health({})).resolves.toEqual({ status: 'ok' })
    const accepted: string[] = []
    const failed: unknown[] = []
    let over = false
    const load = Array.from({ length: 6 }, async () => {
      while (!over)
        await submit(port).then(
          (id) => accepted.push(id),
          (error: unknown) => failed.push(error),
        )
    })
    for (let time = 1; time <= 2; time++) {
      const before = accepted.length
      await waitFor('faxes', async () => accepted.length > before + 20)
      const stopped = Promise.withResolvers<unknown>()
      const slow = submit(port, stopped.promise)
      await sleep(200)
      process.kill(pids.at(-1) ?? 0, 'SIGTERM')
      await sleep(700)
      stopped.resolve(undefined)
      accepted.push(await slow)
      await waitFor('the successor', async () => pids.length > time)
    }
    const before = accepted.length
    await waitFor('faxes of the last one', async () => accepted.length > before + 20)
    over = true
    await Promise.all(load)
    expect(failed).toEqual([])
    expect(new Set(accepted).size).toBe(accepted.length)
    const { total } = await client.listJobs({ query: { limit: 1 } })
    expect(total).toBe(accepted.length)
  })
})
