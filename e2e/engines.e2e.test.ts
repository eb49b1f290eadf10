import { describe, expect, it, onTestFinished } from 'vitest'
import { emulate as emulateFreeswitch } from '../packages/providers/src/freeswitch/emulator.ts'
import { emulate as emulateAsterisk } from '../packages/providers/src/sip/emulator.ts'
import { GatewayProcess, unlimited } from './harness/gateway-process.ts'
import { reservePort } from '../apps/gateway/src/testing/reserve-port.ts'
import { pdfFile, pdfOf } from './harness/paper.ts'
import { finishedJob } from './harness/received.ts'
import { waitFor } from './harness/wait.ts'

const pages = [['Page one of two.'], ['Page two.']]

async function gatewayOn(backend: string, emulate: typeof emulateAsterisk) {
  const port = await reservePort()
  const engine = await emulate({ gatewayUrl: `http://127.0.0.1:${port}`, stepMs: 100 })
  onTestFinished(() => engine.close())
  const env = { ...unlimited, FAX_DISABLED: 'false', FAX_BACKEND: backend, ...engine.env }
  const gateway = new GatewayProcess(port, { env })
  onTestFinished(() => gateway.remove())
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
