import { randomBytes } from 'node:crypto'
import {
  EngineSilence,
  type Finding,
  notRun,
  ProviderProblem,
  type ProviderSettings,
  Spool,
} from '@faxdeck/provider-kit'
import { type EslSession, openEsl } from './esl-session.ts'

const noSession = notRun('Not run: Faxdeck could not ask FreeSWITCH.')
const noFolder = notRun('Not run: Faxdeck could not write into the shared folder itself.')
const strangePath = notRun('Not run: the path of the shared folder holds a character that a shell gives a meaning.')
/** What a shell reads as it stands. */
const pathShape = /^[\w./@+:-]+$/

async function ask<T>(
  settings: ProviderSettings,
  signal: AbortSignal,
  look: (session: EslSession) => Promise<T>,
): Promise<T | undefined> {
  let session: EslSession | undefined
  try {
    session = await openEsl(settings, signal)
    return await look(session)
  } catch (error) {
    // That FreeSWITCH cannot be asked is what another check says.
    if (error instanceof ProviderProblem || error instanceof EngineSilence) return undefined
    throw error
  } finally {
    session?.end()
  }
}

/** A global variable as FreeSWITCH has it; empty when it has none. */
export async function globalOf(session: EslSession, name: string, signal: AbortSignal): Promise<string> {
  const value = await session.ask(`api global_getvar ${name}`, signal)
  return value.startsWith('-ERR') ? '' : value
}

/** Whether received faxes are written into the folder of the line, as far as the dialplan goes. */
export async function tryDialplanFolder(
  settings: ProviderSettings,
  directory: string,
  signal: AbortSignal,
): Promise<Finding> {
  const known = await ask(settings, signal, (session) => globalOf(session, 'faxdeck_dir', signal))
  if (known === undefined) return noSession
  if (known === '') return notRun('Not run: FreeSWITCH has no faxdeck_dir.')
  if (known.replace(/\/+$/, '') === directory) return { passed: true }
  return { passed: false, detail: `faxdeck_dir is ${known}, and the shared folder is ${directory}.` }
}

/** Has FreeSWITCH look, as the user it runs as, whether it can read from the outbox and write into the inbox. */
export async function tryFolder(settings: ProviderSettings, directory: string, signal: AbortSignal): Promise<Finding> {
  const spool = new Spool(directory)
  const { outbox, inbox } = spool
  if (!pathShape.test(directory)) return strangePath
  const id = randomBytes(16).toString('hex')
  const file = await spool.layTrial(id)
  if (file === undefined) return noFolder
  try {
    const seen = async (session: EslSession, test: string) => {
      const reply = await session.ask(`api system test ${test} && echo ${id}`, signal)
      // What a command prints is the reply; an older FreeSWITCH keeps it to itself.
      return reply === id ? true : reply === '' || reply === '-ERR no reply' ? false : undefined
    }
    const found = await ask(settings, signal, async (session) => ({
      reads: await seen(session, `-r ${file}`),
      writes: await seen(session, `-w ${inbox}`),
    }))
    if (found?.reads === undefined || found.writes === undefined) return noSession
    if (!found.reads) return { passed: false, detail: `FreeSWITCH cannot read ${outbox}.` }
    return found.writes ? { passed: true } : { passed: false, detail: `FreeSWITCH cannot write to ${inbox}.` }
  } finally {
    await spool.dropTrial(id)
  }
}

/** Whether the result hook that FreeSWITCH runs is the present one; undefined when it runs none, or does not say. */
export async function hasPresentHook(session: EslSession, signal: AbortSignal): Promise<boolean | undefined> {
  const configuration = await session.ask('api xml_locate configuration configuration name lua.conf', signal)
  if (!/<hook [^>]*faxdeck_result\.lua/.test(configuration)) return undefined
  const reply = await session.ask('api lua faxdeck_result.lua', signal)
  return reply.startsWith(presentHook)
}

/** What the shipped hook says of itself; raised when a change of it reports more than before. */
export const presentHook = 'faxdeck hook 2'
