import { once } from 'node:events'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { commands } from '../commands.ts'
import { Fault } from '../fault.ts'
import { run } from '../run.ts'
import { connect } from './connect.ts'

/** A server that sends everybody to `location`, or answers an empty object, and keeps what it was given. */
async function serve(location?: () => string, status = 307) {
  const seen: { path: string; key: unknown; body: string }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ path: request.url ?? '', key: request.headers['x-api-key'], body })
      if (location) response.writeHead(status, { location: location() })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, seen }
}

const id = '3f2a9c0b7d5e41868a1c6f0e92b4d7a5'

describe('a redirect', () => {
  const typed = [
    ['status', id],
    ['jobs'],
    ['download', id, '-'],
    ['watch', id],
    ['watch'],
    ['doctor'],
    ['settings', 'get'],
    ['send', fileURLToPath(import.meta.url), '+15555550123'],
  ]

  it.each(typed)('is not followed by faxdeck %s', async (...words) => {
    const elsewhere = await serve()
    const target = elsewhere.url.replace('127.0.0.1', 'localhost')
    const { url, seen } = await serve(() => `${target}/here?secret=1`)
    const ran = run([...words, '--url', url, '--key', 'the-key'], { commands, version: '0', env: {} })
    const fault = await ran.catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(Fault)
    expect(fault).toMatchObject({ message: expect.stringContaining(`redirected the request to ${target}/here.`) })
    expect(seen.map(({ key }) => key)).toEqual(['the-key'])
    expect(elsewhere.seen).toEqual([])
  })

  it('ends a command over several faxes with the code for a gateway that is not there', async () => {
    const elsewhere = await serve()
    const { url, seen } = await serve(() => `${elsewhere.url}/here`)
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => written.mockRestore())
    expect(await run(['cancel', id, '--url', url, '--key', 'k'], { commands, version: '0', env: {} })).toBe(3)
    expect(written.mock.calls.join()).toContain('redirected the request to')
    expect([seen.length, elsewhere.seen.length]).toEqual([1, 0])
  })

  it.each([301, 302, 303, 308])('%i is refused as well, also to another page of the same place', async (status) => {
    const { url, seen } = await serve(() => '/elsewhere', status)
    const asked = connect(url, () => 'the-key').runDiagnostics({})
    await expect(asked).rejects.toThrow(`redirected the request to ${url}/elsewhere.`)
    expect(seen).toHaveLength(1)
  })
})
