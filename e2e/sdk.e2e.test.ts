import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snippetsFor } from '../apps/console/src/screens/dashboard/snippets.ts'
import { type GatewayProcess, startGateway, unlimited } from './harness/gateway-process.ts'
import { pdfOf } from './harness/paper.ts'
import { scanBehindSheet } from './harness/scan.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const sdkNode = join(root, 'packages/sdk-node')
const sdkPython = join(root, 'sdk-python')
const python = ['python3', 'python'].find((name) => {
  try {
    execFileSync(name, ['-c', 'import sys; assert sys.version_info >= (3, 9)'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})

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

const snippet = (language: string) => {
  const send = snippetsFor(gateway.url)
    .find(({ key }) => key === language)
    ?.blocks.find(({ title }) => title === 'Send')
  if (!send) throw new Error(`The dashboard has no snippet for ${language}.`)
  return send.code
}

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
  it('with the Node package as it is published', async () => {
    execFileSync('npm', ['pack', '--pack-destination', folder], { cwd: sdkNode, stdio: 'ignore' })
    const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
    writeFileSync(join(folder, 'package.json'), '{ "private": true }')
    run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${packed}`])
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

  it.skipIf(!python)('with the Python package', async () => {
    writeFileSync(join(folder, 'send.py'), snippet('python'))
    const printed = run(python ?? '', ['send.py'], { PYTHONPATH: sdkPython })
    expect(await sent(printed)).toMatchObject({ pages: 1, file_name: 'letter.pdf' })
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
