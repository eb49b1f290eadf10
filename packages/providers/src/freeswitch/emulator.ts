import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createDocuments } from '@faxdeck/documents'
import { EmulatedEngine, type Emulator, type EmulatorOptions, type ReceivedFax } from '@faxdeck/provider-kit/emulator'
import { type EmulatedCall, type EmulatedEvent, endCall } from './emulated/emulated-calls.ts'
import { EmulatedDb } from './emulated/emulated-db.ts'
import { EmulatedEsl } from './emulated/emulated-esl.ts'
import { EmulatedDialplan } from './emulated/emulated-reception.ts'

const password = 'emulated-password'
const gateway = 'emulated'

/** The shipped dialplan, for every number. */
const anyNumber = readFileSync(new URL('dialplan/faxdeck.xml', import.meta.url), 'utf8').replace(
  /expression="[^"]*"/,
  'expression="^\\+?\\d+$"',
)

/**
 * Starts an emulator of FreeSWITCH: it speaks ESL, dials, and reports faxes with the events of a real one. Numbers end
 * as those of every emulator do.
 */
export async function emulate(options: EmulatorOptions): Promise<Emulator> {
  const documents = createDocuments({ threads: 1 })
  const db = new EmulatedDb()
  const dialplan = new EmulatedDialplan(db)
  const engine = new EmulatedEngine<EmulatedCall, EmulatedEvent>(options, { documents, finish: endCall(db) })
  const port = await engine.listen(
    (socket, latencyMs) => new EmulatedEsl(socket, { password, gateway, engine, db, latencyMs }),
  )

  /** With `reported: never` the event is lost. */
  const receive = async ({ from, to, pages, pdf, reported = 'once' }: ReceivedFax): Promise<string> => {
    const { directory } = await engine.inbox()
    const uuid = randomUUID()
    dialplan.globals.set('faxdeck_dir', directory)
    dialplan.load(anyNumber)
    const write = async (path: string) => {
      await documents.toTiff(Buffer.from(pdf), path, { paper: 'letter', resolution: 'fine' })
      return true
    }
    const { events } = await dialplan.take({ uuid, from, to, pages, write, overT38: true })
    for (let times = { once: 1, twice: 2, never: 0 }[reported]; times > 0; times -= 1)
      for (const event of events) engine.report(event)
    return uuid
  }

  return {
    env: {
      FREESWITCH_ESL_HOST: '127.0.0.1',
      FREESWITCH_ESL_PORT: String(port),
      FREESWITCH_ESL_PASSWORD: password,
      FREESWITCH_GATEWAY_NAME: gateway,
      FREESWITCH_CALLER_ID_NUMBER: '+15555550000',
    },
    faxes: engine.faxes,
    receive,
    close: () => engine.close(),
  }
}
