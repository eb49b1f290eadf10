import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { commands } from '../../apps/cli/src/commands.ts'
import { run as runCommand } from '../../apps/cli/src/run.ts'
import { startGateway } from '../../apps/gateway/src/testing/start-gateway.ts'
import { findProgram } from '../find-browser.mjs'
import { repositoryRoot as root } from '../repository.mjs'
import { allFences, type Fence } from './fences.ts'

const run = promisify(execFile)
const fences = allFences(root)

/** Pages whose blocks a test of their own plays from end to end. */
const playedElsewhere: Readonly<Record<string, string>> = {
  'docs/guides/webhooks.md': 'apps/gateway/src/features/webhooks/guide.test.ts',
  'docs/guides/install.md': 'scripts/release/guides',
  'docs/guides/operations.md': 'scripts/release/guides',
  'docs/guides/storage.md': 'scripts/release/guides',
  'docs/guides/moving.md': 'scripts/release/guides',
  'docs/guides/exercise.md': 'scripts/release/guides',
}
const runnable = (language: string) =>
  fences.filter((fence) => fence.language === language && !fence.noRun && !playedElsewhere[fence.file])
const placeOf = ({ file, line }: Fence) => `${file}:${line}`

/** A gateway that listens and keeps sending, with the documents that the pages speak of in a folder. */
async function openGateway() {
  const { app, client, key } = await startGateway({ env: { REQUIRE_API_KEY: 'true', MCP_HTTP_ENABLED: 'true' } })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-snippets-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of ['letter.pdf', 'letter.txt', 'results.pdf', 'news.pdf', 'secret.txt'])
    writeFileSync(join(folder, name), 'A letter.\n')
  writeFileSync(join(folder, 'clinics.csv'), 'fax,name\n+15555550188,Lakeside Clinic\n')
  const file = new File(['A letter.\n'], 'letter.txt')
  const send = () => client.submitFax({ form: { to: '+15555550123', file } })
  const { id } = await send()
  await expect.poll(async () => (await client.getFax({ params: { id } })).status).toBe('SUCCESS')
  const { id: RECEIVED } = await client.simulateInbound({ body: { to: '+15555550100', pages: 1 } })
  const { cursor } = await client.getReceived({ params: { id: RECEIVED } })
  const sending = setInterval(() => void send().catch(() => undefined), 300)
  onTestFinished(() => clearInterval(sending))
  const env = {
    ...process.env,
    FAXDECK_URL: url,
    FAXDECK_API_KEY: key,
    ID: id,
    LAST: '',
    RECEIVED,
    CURSOR: cursor ?? '',
  }
  return { folder, env }
}

describe('the code blocks of the pages', () => {
  it('name their language, and say why where they cannot be run', () => {
    const known = ['sh', 'js', 'python', 'json', 'xml', 'csv', 'ini', 'text']
    expect(fences.filter(({ language }) => !known.includes(language)).map(placeOf)).toEqual([])
    expect(fences.filter(({ noRun }) => noRun !== undefined && noRun.length < 15).map(placeOf)).toEqual([])
    expect(fences.length).toBeGreaterThan(60)
  })

  it('call address and key by one name', () => {
    const others = /X-API-Key: \$(?!FAXDECK_API_KEY)|curl [^\n]*http:\/\/127\.0\.0\.1:8080/
    expect(fences.filter(({ text }) => others.test(text)).map(placeOf)).toEqual([])
  })

  it('are JSON where they say so', () => {
    for (const fence of runnable('json')) expect(() => JSON.parse(fence.text) as unknown, placeOf(fence)).not.toThrow()
  })

  it('call the command line as it is', async () => {
    const idle = commands.map((command) => ({ ...command, run: async () => undefined }))
    const lines = fences
      .filter(({ language, noRun }) => language === 'sh' && !noRun)
      .flatMap((fence) => fence.text.split('\n').map((text) => ({ place: placeOf(fence), text })))
    for (const { place, text } of lines) {
      const call = /(?:^|[|(]\s*|&& |-u faxdeck )faxdeck ([^|)#<>]+)/.exec(text.trim())?.[1]
      if (!call) continue
      const words = [...call.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
      await expect(
        runCommand(words, { commands: idle, version: '', env: {} }),
        `${place}: ${text}`,
      ).resolves.toBeDefined()
    }
  })

  it('run as a shell runs them', async () => {
    const { folder, env } = await openGateway()
    // Streams end with the time; what is refused as already delivered was understood.
    const prelude = `set -euo pipefail
exec < /dev/null
faxdeck() { cat > /dev/null; }
npm() { :; }
pip() { :; }
source() { :; }
setfacl() { :; }
curl() {
  local status
  status=$(command curl --silent --show-error --max-time 5 --output answer --write-out '%{http_code}' "$@") || [ $? = 28 ]
  case "$status" in 2??|409) ;; *) echo "$* answered $status: $(cat answer)" >&2; return 1 ;; esac
}`
    for (const fence of runnable('sh')) {
      await expect(
        run('bash', ['-c', `${prelude}\n${fence.text}`], { cwd: folder, env }),
        placeOf(fence),
      ).resolves.toBeDefined()
    }
  })

  it('run as Node runs them, page by page', async () => {
    const { folder, env } = await openGateway()
    const library = JSON.stringify(join(root, 'packages/sdk-node/src/index.ts'))
    for (const [file, blocks] of Map.groupBy(runnable('js'), (fence) => fence.file)) {
      const text = blocks.map((fence) => `{\n${fence.text.replace(/^import .*$/gm, '')}\n}`).join('\n')
      const imports = new Set(blocks.flatMap((fence) => fence.text.match(/^import .*$/gm) ?? []))
      const program = `${[...imports].join('\n').replaceAll("'faxdeck'", library)}
const every = Faxdeck.prototype.events
// A stream has no end: one event shows that it works.
Faxdeck.prototype.events = async function* (...given) {
  for await (const event of every.call(this, ...given)) return yield event
}
const faxdeck = new Faxdeck()
const Received = faxdeck.received.constructor
const follow = Received.prototype.follow
Received.prototype.follow = async function* (...given) {
  for await (const fax of follow.call(this, ...given)) return yield fax
}
const [to, file, lastId, lastCursor] = ['+15555550123', 'letter.pdf']
${text}
process.exit(0)`
      writeFileSync(join(folder, 'page.mjs'), program)
      await expect(run(process.execPath, ['page.mjs'], { cwd: folder, env }), file).resolves.toBeDefined()
    }
  })

  it.skipIf(!findProgram('python3'))('run as Python runs them, page by page', async () => {
    const { folder, env } = await openGateway()
    const python = { ...env, PYTHONPATH: join(root, 'sdk-python'), PYTHONDONTWRITEBYTECODE: '1' }
    for (const [file, blocks] of Map.groupBy(runnable('python'), (fence) => fence.file)) {
      const program = `from itertools import islice
from faxdeck import Faxdeck
every = Faxdeck.events
Faxdeck.events = lambda self, after=None: islice(every(self, after), 1)
faxdeck = Faxdeck()
received = type(faxdeck.received)
follow = received.follow
received.follow = lambda self, after=None: islice(follow(self, after), 1)
to, file, last_id, last_cursor = "+15555550123", "letter.pdf", None, None
${blocks.map(({ text }) => text).join('\n')}`
      writeFileSync(join(folder, 'page.py'), program)
      await expect(run('python3', ['page.py'], { cwd: folder, env: python }), file).resolves.toBeDefined()
    }
  })
})
