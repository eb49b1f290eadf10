import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { createOwnQuestion, type OwnAnswer } from './ask-ourselves.ts'

const inTime = () => AbortSignal.timeout(5000)

/** Asks as a gateway would whose public name leads to this machine: behind a proxy in the same network, say. */
function asking(prove: (challenge: string) => string) {
  const { ask, close } = createOwnQuestion(prove, { resolve: async () => [{ address: '127.0.0.1', family: 4 }] })
  onTestFinished(close)
  return (port: number): Promise<OwnAnswer> => ask(`http://fax.example.test:${port}`, inTime())
}

async function listening(directory?: string) {
  const gateway = await startGateway({ env: { ALLOWED_HOSTS: 'fax.example.test' }, ...(directory && { directory }) })
  const port = Number(new URL(await gateway.app.listen({ host: '127.0.0.1', port: 0 })).port)
  return { ...gateway, port, prove: gateway.gateway.settings.seals.prove }
}

describe('the public address', () => {
  it('is ours when this installation answers, wherever its name leads', async () => {
    const ours = await listening()
    expect(await asking(ours.prove)(ours.port)).toEqual({
      passed: true,
      detail: `http://fax.example.test:${ours.port} answers from here.`,
    })
  })

  it('is not ours when another installation of Faxdeck answers', async () => {
    const [ours, theirs] = [await listening(), await listening()]
    expect(await asking(ours.prove)(theirs.port)).toMatchObject({
      passed: false,
      hint: expect.stringMatching(/^A different server answers at the public address/) as unknown,
    })
  })

  it('proves nothing to whoever asks without a challenge of the right form', async () => {
    const { app } = await listening()
    for (const challenge of [undefined, '', 'short', 'G'.repeat(32)]) {
      const headers = { host: '127.0.0.1', ...(challenge !== undefined && { 'faxdeck-challenge': challenge }) }
      const answer = await app.inject({ url: '/health', headers })
      expect([answer.statusCode, answer.headers['faxdeck-proof']]).toEqual([200, undefined])
    }
  })
})
