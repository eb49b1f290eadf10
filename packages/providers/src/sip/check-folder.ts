import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  EngineSilence,
  type Finding,
  notRun,
  ProviderProblem,
  type ProviderSettings,
  Spool,
} from '@faxdeck/provider-kit'
import type { AmiMessage } from './ami-frames.ts'
import { type AmiSession, openAmi } from './ami-session.ts'

const noSession = notRun('Not run: Faxdeck could not sign in at Asterisk.')
const noFolder = notRun('Not run: Faxdeck could not write into the shared folder itself.')
const noDialplan = notRun('Not run: the dialplan of Asterisk did not answer, as one of an older Faxdeck.')
const answerWithinMs = 3000

/** A global variable of the dialplan, or a function that needs no call; undefined when Asterisk does not say. */
export async function askVariable(session: AmiSession, name: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await session.ask('GetVar', [['Variable', name]], signal)
  return answer.get('response') === 'Success' ? (answer.get('value') ?? '') : undefined
}

/** What "check" of the dialplan reported: the folder it knows, and what it read there. */
interface Reported {
  directory: string
  read: string
}

function reportedBy(event: AmiMessage, id: string): Reported | undefined {
  if (event.get('userevent') !== 'FaxdeckChecked' || event.get('check') !== id) return undefined
  return { directory: event.get('directory') ?? '', read: event.get('read') ?? '' }
}

const folders = ['inbox', 'results'] as const

/** What of the shared folder the dialplan could not use, as it tried as the user that Asterisk runs as. */
async function faultOf({ directory, read }: Reported, spool: Spool, id: string): Promise<string | undefined> {
  if (read !== id) return `Asterisk, which knows the folder as ${directory}, cannot read ${spool.outbox}.`
  for (const folder of folders) {
    if (!(await spool.hasTrial(folder, id)))
      return `Asterisk, which knows the folder as ${directory}, cannot write to ${spool[folder]}.`
  }
  return undefined
}

/**
 * Has the shipped dialplan read and write in the shared folder, as the user that Asterisk runs as. Nobody is called.
 * @param directory of the line
 */
export async function tryFolder(settings: ProviderSettings, directory: string, signal: AbortSignal): Promise<Finding> {
  const spool = new Spool(directory)
  const id = randomBytes(16).toString('hex')
  const { promise, resolve } = Promise.withResolvers<Reported>()
  const onEvent = (event: AmiMessage) => {
    const reported = reportedBy(event, id)
    if (reported) resolve(reported)
  }
  let session: AmiSession | undefined
  try {
    session = await openAmi(settings, signal, onEvent)
    if ((await spool.layTrial(id)) === undefined) return noFolder
    const call = await session.ask('Originate', checkCall(id), signal)
    // What stands in the way, a dialplan of an older Faxdeck above all, is what other checks say.
    if (call.get('response') !== 'Success') return noDialplan
    const reported = await Promise.race([promise, sleep(answerWithinMs, undefined, { ref: false })])
    if (!reported) return noDialplan
    const fault = await faultOf(reported, spool, id)
    return fault === undefined ? { passed: true } : { passed: false, detail: fault }
  } catch (error) {
    if (error instanceof ProviderProblem || error instanceof EngineSilence) return noSession
    throw error
  } finally {
    session?.end()
    await spool.dropTrial(id)
  }
}

const checkCall = (id: string) =>
  [
    ['Channel', 'Local/check@faxdeck-check/n'],
    ['Context', 'faxdeck-check'],
    ['Exten', 'over'],
    ['Priority', '1'],
    ['Async', 'true'],
    ['Variable', `__FAXDECK_CHECK=${id}`],
  ] as const

/** Whether a call to our own number comes to the dialplan, in the form with a plus; undefined when Asterisk cannot say. */
export async function reachesDialplan(
  session: AmiSession,
  { sip_dial_string: dialString, fax_station_id: station }: ProviderSettings,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const endpoint = /^PJSIP\/.*@([\w-]+)$/.exec(String(dialString ?? ''))?.[1]
  if (endpoint === undefined || !/^\+\d{3,15}$/.test(String(station ?? ''))) return undefined
  const context = await askVariable(session, `PJSIP_ENDPOINT(${endpoint},context)`, signal)
  if (context === undefined || !/^[\w-]+$/.test(context)) return undefined
  const exists = await askVariable(session, `DIALPLAN_EXISTS(${context},${String(station)},1)`, signal)
  return exists === '1' || exists === '0' ? exists === '1' : undefined
}
