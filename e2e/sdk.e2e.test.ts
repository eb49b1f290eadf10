import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snippetsFor } from '../apps/console/src/screens/dashboard/snippets.ts'
import { type GatewayProcess, startGateway, unlimited } from './harness/gateway-process.ts'
import { findProgram } from '../scripts/find-browser.mjs'
import { pdfOf } from './harness/paper.ts'
import { scanBehindSheet } from './harness/scan.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sdkPython = join(root, 'sdk-python')
const python = ['python3', 'python'].find((name) => {
  try {
    execFileSync(name, ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})
const pip = python !== undefined && findProgram('pip')

/** What a program of a user does with the types. */
const strictProgram = `import { Faxdeck, PartialSendError, verifyWebhook, type Fax, type FaxEvent } from 'faxdeck'
const faxdeck = new Faxdeck({ baseUrl: 'http://127.0.0.1:8080', apiKey: 'k' })
const fax: Fax = await faxdeck.send({ to: '+15555550123', file: new Uint8Array(1), reference: 'a' })
const kind: string | null = fax.error_kind
const since: string | undefined = fax.held?.since
for await (const event of faxdeck.events()) console.log((event satisfies FaxEvent).fax.status, kind, since)
const { type } = await verifyWebhook({ body: '', headers: {}, secret: 'whsec_AA==' })
const many: Fax[] = await faxdeck.send({ to: ['1', '2'], file: 'a.pdf' }).catch((error: unknown) => {
  if (error instanceof PartialSendError) return [...error.faxes]
  throw error
})
console.log(type, many.length)
`

let gateway: GatewayProcess
let folder: string

/** Runs a program in the folder of a new user, with the key in the environment; what it prints. */
const run = (program: string, args: string[], env: Record<string, string> = {}) =>
  execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
    env: { PATH: process.env.PATH ?? '', FAXDECK_API_KEY: gateway.key, FAXDECK_URL: gateway.url, ...env },
  })

const snippet = (language: string, wanted = 'Send') => {
  const found = snippetsFor(gateway.url)
    .find(({ key }) => key === language)
    ?.blocks.find(({ title }) => title === wanted)
  if (!found) throw new Error(`The dashboard has no snippet for ${language}.`)
  return found.code
}
/** Pasted into a shell from which no registry can be reached. */
const paste = (code: string, env: Record<string, string> = {}) =>
  run('sh', ['-c', code], {
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_audit: 'false',
    PIP_NO_INDEX: '1',
    ...env,
  })

beforeAll(async () => {
  gateway = await startGateway({ env: { ...unlimited, TESTLINE_SECONDS: '0' } })
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-user-'))
  writeFileSync(join(folder, 'letter.pdf'), pdfOf([['From a program.']]))
})
afterAll(async () => {
  await gateway.remove()
  rmSync(folder, { recursive: true, force: true })
})

const sent = async (printed: string) => {
  const id = /[0-9a-f]{32}/.exec(printed)?.[0] ?? ''
  return gateway.client.getJob({ params: { id } })
}

describe('the snippets of the dashboard send a fax when they are pasted', () => {
  it('with the Node package, installed from the gateway', async () => {
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    paste(snippet('node', 'Install'), { npm_config_cache: join(folder, '.npm') })
    writeFileSync(join(folder, 'send.mjs'), snippet('node'))
    expect(await sent(run(process.execPath, ['send.mjs']))).toMatchObject({ pages: 1, file_name: 'letter.pdf' })
  })

  it('with the Node package from CommonJS', async () => {
    const program = `const { Faxdeck } = require('faxdeck')
new Faxdeck().send({ to: '+15555550123', file: 'letter.pdf' }).then(({ id }) => console.log(id))`
    writeFileSync(join(folder, 'send.cjs'), program)
    expect(await sent(run(process.execPath, ['send.cjs']))).toMatchObject({ pages: 1, file_name: 'letter.pdf' })
  })

  it.runIf(process.env.FAXDECK_LONG)(
    'with the Node package from strict TypeScript, whose types know every field',
    () => {
      writeFileSync(join(folder, 'strict.mts'), strictProgram)
      const options = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom']
      const compile = () =>
        run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, 'strict.mts'])
      expect(compile).not.toThrow()
      writeFileSync(join(folder, 'strict.mts'), strictProgram.replace('error_kind', 'no_such_field'))
      expect(compile).toThrow()
    },
  )

  it.skipIf(!pip)('with the Python package, installed from the gateway', async () => {
    paste(snippet('python', 'Install'), { PIP_TARGET: join(folder, 'python'), PIP_NO_CACHE_DIR: '1' })
    writeFileSync(join(folder, 'send.py'), snippet('python'))
    const printed = run(python ?? '', ['send.py'], { PYTHONPATH: join(folder, 'python') })
    expect(await sent(printed)).toMatchObject({ pages: 1, file_name: 'letter.pdf' })
  })

  it('and what the gateway gives has the checksums that it says', async () => {
    const read = async (name: string) =>
      Buffer.from(await (await fetch(`${gateway.url}/downloads/${name}`)).arrayBuffer())
    const lines = (await read('SHA256SUMS')).toString().trim().split('\n')
    expect(lines).toHaveLength(2)
    for (const [hash, name = ''] of lines.map((line) => line.split('  ')))
      expect(
        createHash('sha256')
          .update(await read(name))
          .digest('hex'),
      ).toBe(hash)
  })

  it('with curl', async () => {
    expect(await sent(run('sh', ['-c', snippet('curl')]))).toMatchObject({ pages: 1, file_name: 'letter.pdf' })
  })
})

it.skipIf(!python)('the Python client does against a gateway what its tests say', async () => {
  writeFileSync(join(folder, 'scan.tiff'), await scanBehindSheet(gateway, '+15555550129'))
  const args = ['-m', 'unittest', 'discover', '-s', join(sdkPython, 'tests')]
  expect(() => run(python ?? '', args, { PYTHONPATH: sdkPython, FAXDECK_TEST_SCAN: 'scan.tiff' })).not.toThrow()
})
