import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commands } from '../../apps/cli/src/commands.ts'
import { startGateway } from '../../apps/gateway/src/testing/start-gateway.ts'
import { routes } from '../../packages/contract/src/index.ts'
import { findProgram } from '../find-browser.mjs'
import { repositoryRoot as root } from '../repository.mjs'
import { ways } from './ways.mjs'

const run = promisify(execFile)
const shown = {
  fax: '3f2a9c0b7d5e41868a1c6f0e92b4d7a5',
  received: '7c4e1f2a9b0d4c638e5f7a1b2c3d4e5f',
  broadcast: '9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e',
  webhook: '5d4c3b2a19087f6e5d4c3b2a19087f6e',
}
/** Streams have no end; they are read until the first event. */
const first = {
  node: (text: string) => text.replace(/\n}$/, '\n  break\n}'),
  python: (text: string) => `${text}\n    break`,
}
const calls = Object.entries(ways)

/** A gateway that listens, with a delivered fax, a broadcast and a document in the folder that programs run in. */
async function openGateway() {
  const { app, client, key } = await startGateway({ env: { REQUIRE_API_KEY: 'true' } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-ways-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'letter.pdf'), 'A letter.\n')
  const file = new File(['A letter.\n'], 'letter.txt')
  const { id: fax } = await client.submitFax({ form: { to: '+15555550123', file } })
  await expect.poll(async () => (await client.getFax({ params: { id: fax } })).status).toBe('SUCCESS')
  const recipients = '+15555550177'
  const { id: broadcast } = await client.createBroadcast({ form: { recipients, file } })
  const wanted = { url: 'https://example.com/faxdeck', events: ['fax.delivered' as const] }
  const { id: webhook } = await client.createOwnWebhook({ body: wanted })
  const env = { ...process.env, FAXDECK_URL: url, FAXDECK_API_KEY: key }
  const { id: received } = await client.simulateInbound({ body: {} })
  const made = { fax, received, broadcast, webhook }
  const fill = (text: string) =>
    Object.entries(made).reduce((all, [name, id]) => all.replaceAll(shown[name as keyof typeof made], id), text)
  return { folder, env, fill }
}

describe('the ways to make a call', () => {
  it('are of calls that exist, and of commands as their help shows them', () => {
    const names = [...Object.keys(routes), 'followFaxes']
    expect(calls.map(([name]) => name).filter((name) => !names.includes(name))).toEqual([])
    const examples = commands.flatMap(({ examples }) => examples)
    const unknown = calls.flatMap(([, { cli }]) => (cli && !examples.includes(cli) ? [cli] : []))
    expect(unknown).toEqual([])
  })

  it('work with the client library for Node', async () => {
    const { folder, env, fill } = await openGateway()
    const parts = calls.flatMap(([name, { node }]) => (node ? [name === 'followFaxes' ? first.node(node) : node] : []))
    const library = join(root, 'packages/sdk-node/src/index.ts')
    const body = parts.map((text) => `{\n${fill(text.replace("import { Faxdeck } from 'faxdeck'", ''))}\n}`)
    // Resending what was delivered is refused, which is an answer as well.
    const program = `import { Faxdeck } from ${JSON.stringify(library)}\n${body.map(allowRefusal).join('\n')}\nprocess.exit(0)`
    writeFileSync(join(folder, 'ways.mjs'), program)
    await run(process.execPath, [join(folder, 'ways.mjs')], { cwd: folder, env })
  })
  const allowRefusal = (block: string) =>
    /cancel|resend/.test(block) ? `try ${block} catch (error) { if (error.status !== 409) throw error }` : block

  it.skipIf(!findProgram('python3'))('work with the client library for Python', async () => {
    const { folder, env, fill } = await openGateway()
    const parts = calls.flatMap(([name, { python }]) =>
      python ? [name === 'followFaxes' ? first.python(python) : python] : [],
    )
    const body = parts.map((text) => {
      if (!/cancel|resend/.test(text)) return fill(text)
      const indented = fill(text).replace(/^(?=.)/gm, '    ')
      return `import faxdeck as library\ntry:\n${indented}\nexcept library.GatewayError as refusal:\n    assert refusal.status == 409, refusal`
    })
    writeFileSync(join(folder, 'ways.py'), `${body.join('\n')}\n`)
    const python = { ...env, PYTHONPATH: join(root, 'sdk-python'), PYTHONDONTWRITEBYTECODE: '1' }
    await run('python3', [join(folder, 'ways.py')], { cwd: folder, env: python })
  })
})
