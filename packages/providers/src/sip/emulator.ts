import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDocuments } from '@faxdeck/documents'
import {
  Courier,
  EmulatedEngine,
  type Emulator,
  type EmulatorOptions,
  type ReceivedFax,
} from '@faxdeck/provider-kit/emulator'
import { EmulatedAmi } from './emulated-ami.ts'
import { type AmiEvent, type EmulatedCall, leaveResult } from './emulated-calls.ts'

const user = 'faxdeck'
const password = 'emulated-password'
const secret = 'emulated-internal-secret'

/**
 * Starts an emulator of Asterisk with the shipped dialplan: it speaks AMI, dials, and leaves the same notes and pages.
 * Numbers end as those of every emulator do.
 */
export async function emulate(options: EmulatorOptions): Promise<Emulator> {
  const documents = createDocuments({ threads: 1 })
  // The shipped dialplan posts a few times within a minute.
  const courier = new Courier({ pauses: [0.05, 0.2, 0.5], minuteMs: options.minuteMs })
  const engine = new EmulatedEngine<EmulatedCall, AmiEvent>(options, { documents, finish: leaveResult })
  const port = await engine.listen(
    (socket, latencyMs) => new EmulatedAmi(socket, { user, password, engine, latencyMs }),
  )
  let received = 0

  const receive = async ({ from, to, pages, pdf, reported = 'once' }: ReceivedFax): Promise<string> => {
    const { inbox } = await engine.inbox()
    const uniqueid = `${Math.floor(Date.now() / 1000)}.${(received += 1)}`
    const path = join(inbox, `${uniqueid}_${to}_${from}.tif`)
    await documents.toTiff(Buffer.from(pdf), path, { paper: 'letter', resolution: 'fine' })
    const numbers = { to_number: to, from_number: from }
    const body = JSON.stringify({ tiff_path: path, ...numbers, faxstatus: 'SUCCESS', faxpages: `${pages}`, uniqueid })
    await writeFile(`${path}.json`, body)
    const headers = { 'content-type': 'application/json', 'x-internal-secret': secret }
    const address = `${options.gatewayUrl}/_internal/asterisk/inbound`
    const post = () => courier.post(address, () => ({ headers, body }))
    await Promise.all({ once: [post], twice: [post, post], never: [] }[reported].map((report) => report()))
    return uniqueid
  }

  return {
    env: {
      ASTERISK_AMI_HOST: '127.0.0.1',
      ASTERISK_AMI_PORT: String(port),
      ASTERISK_AMI_USERNAME: user,
      ASTERISK_AMI_PASSWORD: password,
      ASTERISK_INBOUND_SECRET: secret,
      FAX_LOCAL_STATION_ID: '+15555550000',
    },
    faxes: engine.faxes,
    receive,
    close: async () => {
      await courier.close()
      await engine.close()
    },
  }
}
