import { describe, expect, it, onTestFinished } from 'vitest'
import { emulate as emulateFreeswitch } from '../../packages/providers/src/freeswitch/emulator.ts'
import { emulate as emulateAsterisk } from '../../packages/providers/src/sip/emulator.ts'
import { prepareGateway } from '../harness/gateway-process.ts'
import { findFreePort } from '../../apps/gateway/src/testing/free-port.ts'
import { pdfFile, pdfOf } from '../harness/paper.ts'
import { finishedJob } from '../harness/received.ts'
import { waitFor } from '../harness/wait.ts'

const pages = [['Page one of two.'], ['Page two.']]

async function gatewayOn(backend: string, emulate: typeof emulateAsterisk) {
  const enginePort = await findFreePort()
  const address = { ASTERISK_AMI_PORT: String(enginePort), FREESWITCH_ESL_PORT: String(enginePort) }
  // The account of the stand-in is the same whatever its port.
  const { env: account, close } = await emulate({ gatewayUrl: 'http://127.0.0.1:1' })
  await close()
  const env = { FAX_DISABLED: 'false', FAX_BACKEND: backend, ...account, ...address }
  const gateway = await prepareGateway({ env })
  onTestFinished(() => gateway.remove())
  const engine = await emulate({ gatewayUrl: gateway.url, port: enginePort, stepMs: 100 })
  onTestFinished(() => engine.close())
  return { engine, gateway }
}

describe.each([
  ['sip', emulateAsterisk],
  ['freeswitch', emulateFreeswitch],
] as const)('the stand-in of %s', (backend, emulate) => {
  it('takes a fax, refuses one as busy, and hands one over', async () => {
    const { engine, gateway } = await gatewayOn(backend, emulate)
    await gateway.start()
    const { client } = gateway
    const send = (to: string) => client.submitFax({ form: { to, file: pdfFile('letter.pdf', pages) } })
    const [delivered, busy] = await Promise.all([send('+15555550123'), send('+15555550100')])
    expect(await finishedJob(client, delivered.id)).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2, backend })
    const tried = await waitFor('the busy line', async () => {
      const job = await client.getJob({ params: { id: busy.id } })
      return job.error_kind === null ? undefined : job
    })
    expect(tried).toMatchObject({ error_kind: 'busy', status: 'in_progress' })
    expect(engine.faxes.filter(({ ending }) => ending === 'delivered')).toMatchObject([
      { to: '+15555550123', pages: 2 },
    ])

    const pdf = new Uint8Array(pdfOf(pages))
    await engine.receive({ from: '+15551234567', to: '+15557654321', pages: 2, pdf, reported: 'twice' })
    const received = await waitFor('the received fax', async () => {
      const faxes = await client.listInbound({ query: {} })
      expect(faxes.length).toBeLessThan(2)
      return faxes.find(({ status }) => status === 'received')
    })
    expect(received).toMatchObject({ fr: '+15551234567', to: '+15557654321', pages: 2, backend })
  })
})
