import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { signedHeaders } from '../../base/outgoing/send.ts'

const run = promisify(execFile)
const guide = await readFile(fileURLToPath(new URL('../../../../../docs/guides/webhooks.md', import.meta.url)), 'utf8')
const examples = (language: string) =>
  guide
    .split(`\`\`\`${language}\n`)
    .slice(1)
    .map((rest) => rest.split('```')[0] ?? '')

/** Runs a program of Node until the test ends; its lines as they come. */
function startProgram(code: string, env: NodeJS.ProcessEnv): string[] {
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill())
  const lines: string[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(line))
  return lines
}

describe('the guide', () => {
  it.each([
    ['js', process.execPath, ['--input-type=module', '-e']],
    ['python', 'python3', ['-c']],
  ])('has a function that verifies signatures in %s', async (language, program, flags) => {
    const [code = ''] = examples(language)
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const headers = signedHeaders('msg_1', new Date(), '{"a":1}', [
      `whsec_${randomBytes(32).toString('base64')}`,
      secret,
    ])
    const check = async (body: string, given: object) => {
      const call = `verify(${JSON.stringify(secret)}, ${JSON.stringify(given)}, ${JSON.stringify(body)})`
      const tell = language === 'js' ? `console.log(String(${call}))` : `print(str(${call}).lower())`
      return (await run(program, [...flags, `${code}\n${tell}`])).stdout.trim()
    }
    expect(await check('{"a":1}', headers)).toBe('true')
    expect(await check('{"a":2}', headers)).toBe('false')
    expect(await check('{"a":1}', { ...headers, 'webhook-timestamp': '1614265330' })).toBe('false')
  })

  it('has a receiver that takes a test and refuses what is not ours', async () => {
    const { client } = await startGateway({ env: { WEBHOOK_ALLOWED_CIDRS: '127.0.0.1' } })
    const { id, secret } = await client.createWebhook({
      body: { url: 'http://127.0.0.1:3000/', events: ['fax.delivered'] },
    })
    const told = "listen(0, '127.0.0.1', function () { console.log(this.address().port) })"
    const code = examples('js').join('\n').replace("listen(3000, '127.0.0.1')", told)
    const lines = startProgram(code, { WEBHOOK_SECRET: secret })
    await expect.poll(() => lines.length, { timeout: 20_000 }).toBe(1)
    const url = `http://127.0.0.1:${lines[0]}/`
    expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401)
    await client.updateWebhook({ params: { id }, body: { url } })
    const test = await client.testWebhook({ params: { id } })
    await expect.poll(() => lines[1], { timeout: 20_000 }).toBe(`${test.id} ${test.payload}`)
    const outcome = async () => (await client.listWebhookDeliveries({ params: { id }, query: {} }))[0]
    await expect.poll(outcome).toMatchObject({ state: 'delivered', response_status: 204, tries: 1 })
  })
})
