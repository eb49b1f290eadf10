import { once } from 'node:events'
import { createServer } from 'node:http'
import type { CloudEmulator, EmulatorOptions } from '@faxdeck/provider-kit/emulator'
import { onTestFinished } from 'vitest'
import { startGateway } from './start-gateway.ts'

const emulatorOf = (id: string) => new URL(`../../../../packages/providers/src/${id}/emulator.ts`, import.meta.url)
/** A gateway with an address of its own, and the stand-in of a cloud provider that it sends and receives through. */
export async function through(id: string, env: Record<string, string> = {}, options: Partial<EmulatorOptions> = {}) {
  const front = createServer().listen(0, '127.0.0.1')
  await once(front, 'listening')
  const address = front.address()
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.')
  const gatewayUrl = `http://127.0.0.1:${address.port}`
  const { emulate } = (await import(emulatorOf(id).href)) as {
    emulate: (options: EmulatorOptions) => Promise<CloudEmulator>
  }
  const emulator = await emulate({ gatewayUrl, stepMs: 5, minuteMs: 10, ...options })
  onTestFinished(async () => {
    await emulator.close()
    front.closeAllConnections()
    front.close()
  })
  const asked = { FAX_BACKEND: id, FAX_DISABLED: 'false', PUBLIC_API_URL: gatewayUrl, INBOUND_LIST_RPM: '0' }
  const { app, client } = await startGateway({ env: { ...emulator.env, ...asked, ...env } })
  await app.ready()
  front.on('request', (request, response) => app.routing(request, response))
  const send = async (to: string) => {
    const file = new File(['Dear colleague,\nplease find the results below.\n'], 'letter.txt')
    return (await client.submitFax({ form: { to, file } })).id
  }
  const job = (faxId: string) => client.getJob({ params: { id: faxId } })
  return { emulator, client, send, job, gatewayUrl }
}
