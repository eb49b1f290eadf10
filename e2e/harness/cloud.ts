import type { Emulator, EmulatorOptions } from '../../packages/provider-kit/src/emulator/index.ts'
import type { Provider } from '../../packages/provider-kit/src/index.ts'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { GatewayProcess, unlimited } from './gateway-process.ts'
import { pdfFile } from './paper.ts'
import { waitFor } from './wait.ts'

export const twoPages = () => pdfFile('letter.pdf', [['Dear colleague,'], ['With kind regards']])

export type Emulate = (options: EmulatorOptions) => Promise<Emulator>

/** A gateway that sends and receives through a provider's stand-in, and the stand-in. Start it with `gateway.start()`. */
export async function openCloud(provider: Provider, emulate: Emulate) {
  const port = await reservePort()
  const url = `http://127.0.0.1:${port}`
  const emulator = await emulate({ gatewayUrl: url, stepMs: 40, minuteMs: 10 })
  const gateway = new GatewayProcess(port, {
    env: {
      ...unlimited,
      FAX_DISABLED: 'false',
      FAX_BACKEND: provider.id,
      PUBLIC_API_URL: url,
      RETRY_BUSY_TIMES: '0',
      RETRY_NO_ANSWER_TIMES: '0',
      RETRY_LINE_ERROR_TIMES: '0',
      RETRY_UNREACHABLE_FIRST_SECONDS: '1',
      ...emulator.env,
    },
  })
  return {
    emulator,
    gateway,
    client: gateway.client,
    close: async () => {
      await gateway.remove()
      await emulator.close()
    },
    send: async (to: string) => (await gateway.client.submitFax({ form: { to, file: twoPages() } })).id,
    /** How a fax ended, once it has. */
    ended: (id: string) =>
      waitFor(
        `the end of ${id}`,
        async () => {
          const job = await gateway.client.getJob({ params: { id } })
          return ['SUCCESS', 'FAILED'].includes(job.status) ? job : undefined
        },
        60,
      ),
    /** The faxes received from a number, once there are so many that are complete. */
    inbox: (from: string, count: number) =>
      waitFor(`${count} received faxes`, async () => {
        const faxes = await gateway.client.listInbound({ query: { status: 'received' } })
        const those = faxes.filter(({ fr }) => fr === from)
        return those.length >= count ? those : undefined
      }),
  }
}

export type Cloud = Awaited<ReturnType<typeof openCloud>>
