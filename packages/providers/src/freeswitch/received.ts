import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { type CallRecord, boundedRecord, type ReceivedNote, type Spool } from '@faxdeck/provider-kit'
import { recordOf } from './call-facts.ts'
import { countOf } from './call-result.ts'
import type { EslMessage } from './esl-frames.ts'
import { attemptOf } from './originate.ts'

/** What the shipped dialplan says of itself; raised when a change of it reports more than before. */
export const shippedDialplan = '2'

/** Where the shipped dialplan keeps who called whom, and how the call ended (mod_db). */
const begun = 'faxdeck_in'
const ended = 'faxdeck_ended'

type Ask = (command: string, signal: AbortSignal) => Promise<string>
interface Reported {
  from: string
  to: string
  /** As the inbox reads it; empty when nobody said. */
  status: 'SUCCESS' | 'FAILED' | 'NONE' | ''
  pages: number
  error: string
  call?: CallRecord
}

const dialable = (number: string | undefined) => (number ?? '').replace(/[^+\d]/g, '').slice(0, 20)
const isCall = (uuid: string) => attemptOf(uuid) !== undefined
const uuidsIn = (text: string) => text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? []

/** Whether a call runs the shipped dialplan, which remembers it. */
export const isRemembered = (headers: EslMessage['headers']): boolean =>
  (headers.get('variable_api_hangup_hook') ?? '').startsWith(`db::insert/${ended}/`)

/** What FreeSWITCH remembers of a call that is over. @param start, end as kept; undefined when it has none */
function recalled(start: string, end: string | undefined): Reported {
  const [, to, from] = /^([^:]*):(.*)$/s.exec(start) ?? []
  const [, success, pages, error = ''] = /^([01]?):(\d{0,9}):(.*)$/s.exec(end ?? '') ?? []
  const words: Readonly<Record<string, Reported['status']>> = { '1': 'SUCCESS', '0': 'FAILED', '': 'NONE' }
  const status = success === undefined ? '' : (words[success] ?? '')
  return { from: dialable(from), to: dialable(to), status, pages: countOf(pages), error }
}

/** The faxes that FreeSWITCH receives: announced by events, and remembered by it for when nobody listens. */
export class Reception {
  readonly #spool: Spool
  /** Calls that FreeSWITCH remembers and that were noted in the inbox. */
  readonly #noted = new Set<string>()

  constructor(spool: Spool) {
    this.#spool = spool
  }

  /** Notes a fax as its event reports it. @returns false when it is not ours */
  async onEvent(headers: EslMessage['headers']): Promise<boolean> {
    const uuid = headers.get('unique-id') ?? ''
    if (!isCall(uuid)) return false
    const path = this.#pagesOf(uuid)
    const written = headers.get('variable_fax_filename')
    const remembered = isRemembered(headers)
    // Faxes that another part of the dialplan receives elsewhere are not ours.
    if (!remembered && written !== path && !(await exists(path))) return false
    const success = headers.get('fax-success') === '1'
    const elsewhere =
      written === undefined || written === path ? '' : '; faxdeck_dir in vars.xml is not the shared folder'
    await this.#write(uuid, {
      // Over T.38 the SIP headers have changed places: they name the caller as the one who was called.
      to: dialable(headers.get('caller-destination-number') ?? headers.get('variable_sip_to_user')),
      from: dialable(headers.get('caller-caller-id-number')),
      status: success ? 'SUCCESS' : 'FAILED',
      pages: countOf(headers.get('fax-document-transferred-pages')),
      error: (success ? '' : (headers.get('fax-result-text') ?? '')) + elsewhere,
      call: recordOf(headers, true),
    })
    if (remembered) this.#noted.add(uuid)
    return true
  }

  /** Whether a call that fax events report is received for us. */
  isOurs(headers: EslMessage['headers']): boolean {
    const uuid = headers.get('unique-id') ?? ''
    const path = headers.get('variable_fax_filename')
    return isCall(uuid) && (isRemembered(headers) || path === this.#pagesOf(uuid))
  }

  /**
   * Notes what FreeSWITCH remembers of calls that are over, and has it forget those whose note was taken.
   * @returns whether something was noted
   * @throws {ProviderProblem} when FreeSWITCH cannot be asked
   */
  async recall(ask: Ask, signal: AbortSignal): Promise<boolean> {
    let isNew = false
    const names = new Set((await this.#spool.listInbox()).map(({ name }) => name))
    const kept = uuidsIn(await ask(`db list/${begun}`, signal))
    // A long list comes cut off: what lies here is asked for in any case.
    const lying = [...names].flatMap((name) => (name.endsWith('.tif') ? uuidsIn(name) : []))
    for (const uuid of new Set([...kept, ...lying])) {
      if (names.has(`${uuid}.tif.json`)) continue
      const call = await recallCall(uuid, ask, signal)
      if (!call) continue
      if (!this.#noted.has(uuid)) {
        await this.#write(uuid, call)
        this.#noted.add(uuid)
        isNew = true
        continue
      }
      for (const realm of [begun, ended]) await ask(`db delete/${realm}/${uuid}`, signal)
      this.#noted.delete(uuid)
    }
    return isNew
  }

  #pagesOf = (uuid: string): string => join(this.#spool.inbox, `${uuid}.tif`)

  #write(uuid: string, { from, to, status, pages, error, call }: Reported): Promise<void> {
    const numbers = { to_number: to, from_number: from }
    const end = { faxstatus: status, faxpages: pages, faxerror: error }
    const note = {
      tiff_path: this.#pagesOf(uuid),
      uniqueid: uuid,
      ...numbers,
      ...end,
      call: JSON.stringify(call ?? {}),
    }
    return this.#spool.writeNote(`${uuid}.tif.json`, JSON.stringify(note))
  }
}

/** What the call did, as its note has it. */
export function recordOfNote({ call, pages }: ReceivedNote): CallRecord | undefined {
  try {
    return boundedRecord({ ...(JSON.parse(call) as CallRecord), pages })
  } catch {
    return undefined
  }
}

/** Undefined while the call is up, and when FreeSWITCH remembers nothing of it. */
async function recallCall(uuid: string, ask: Ask, signal: AbortSignal): Promise<Reported | undefined> {
  const select = async (realm: string) => {
    const kept = await ask(`db select/${realm}/${uuid}`, signal)
    return kept === '' || kept.startsWith('-ERR') || kept === '!err!' ? undefined : kept
  }
  const start = await select(begun)
  if (start === undefined) return undefined
  const end = await select(ended)
  if (end !== undefined) return recalled(start, end)
  if ((await ask(`uuid_exists ${uuid}`, signal)) === 'true') return undefined
  // It may have ended between the two questions.
  return recalled(start, await select(ended))
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
