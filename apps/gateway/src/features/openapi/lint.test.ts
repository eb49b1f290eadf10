import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { messageEvents, webhookPayloads } from '@faxdeck/contract'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const run = promisify(execFile)
const root = (path: string) => fileURLToPath(new URL(`../../../../../${path}`, import.meta.url))

interface Parameter {
  name: string
  schema: { pattern?: string }
}
interface Document {
  paths: Record<string, Record<string, { parameters?: Parameter[] }>>
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { example: unknown }> } } }>
}

/** What Redocly's linter says about a file with our settings, which are its recommended ones. */
async function lintWithRedocly(path: string): Promise<{ problems: unknown[] }> {
  const program = root('node_modules/@redocly/cli/bin/cli.js')
  const options = ['lint', path, '--format', 'json', '--config', root('redocly.yaml')]
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  // Its exit code says the same as its findings.
  const { stdout } = await run(process.execPath, [program, ...options], { env, maxBuffer: 2 ** 26 }).catch(
    (error: unknown) => error as { stdout: string },
  )
  return JSON.parse(stdout) as { problems: unknown[] }
}

/** Whether a word can stand where a path has a part that is a parameter. */
function takesWord(document: Document, path: string, part: string, word: string): boolean {
  const methods = Object.values(document.paths[path] ?? {})
  const schema = methods[0]?.parameters?.find(({ name }) => `{${name}}` === part)?.schema
  return schema?.pattern === undefined || new RegExp(schema.pattern).test(word)
}

/** Whether one address can be meant by both paths. */
function areAmbiguous(document: Document, one: string, other: string): boolean {
  const [parts, others] = [one.split('/'), other.split('/')]
  if (parts.length !== others.length) return false
  return parts.every((part, index) => {
    const against = others[index] ?? ''
    if (part === against || (part.startsWith('{') && against.startsWith('{'))) return true
    if (part.startsWith('{')) return takesWord(document, one, part, against)
    return against.startsWith('{') && takesWord(document, other, against, part)
  })
}

let served: Promise<Document> | undefined
/** The document of a running gateway, asked for once. */
async function readServed(): Promise<Document> {
  const { app } = await startGateway()
  return (await app.inject({ url: '/openapi.json', headers: { host: 'localhost' } })).json()
}
const servedDocument = () => (served ??= readServed())

/** Both linters have something to say about it. */
const poor = { openapi: '3.1.1', info: { title: 'Poor', version: '1' }, paths: {} }

describe('the document that is served', () => {
  it('has no finding in Redocly’s recommended rules', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-openapi-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const path = join(directory, 'openapi.json')
    await writeFile(path, JSON.stringify(await servedDocument()))
    expect((await lintWithRedocly(path)).problems).toEqual([])
    await writeFile(path, JSON.stringify(poor))
    expect((await lintWithRedocly(path)).problems).not.toEqual([])
  })

  it.runIf(process.env.FAXDECK_LONG)('has no finding in Spectral’s rules for OpenAPI', async () => {
    const spectral = new Spectral()
    spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, 'recommended']] })
    expect(await spectral.run({ ...(await servedDocument()) })).toEqual([])
    expect(await spectral.run(poor)).not.toEqual([])
  })

  it('has no two paths that one address can mean', async () => {
    const document = await servedDocument()
    const paths = Object.keys(document.paths)
    const pairs = paths.flatMap((one, index) => paths.slice(index + 1).map((other) => [one, other] as const))
    expect(pairs.filter(([one, other]) => areAmbiguous(document, one, other))).toEqual([])
  })

  it('has the message of each webhook event, as it is sent', async () => {
    const document = await servedDocument()
    expect(Object.keys(document.webhooks)).toEqual([...messageEvents])
    for (const event of messageEvents) {
      const content = document.webhooks[event]?.post.requestBody.content['application/json']
      expect(webhookPayloads[event].strict().safeParse(content?.example).error, event).toBeUndefined()
    }
  })
})
