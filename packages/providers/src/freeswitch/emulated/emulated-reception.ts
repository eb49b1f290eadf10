import { type EmulatedEvent } from './emulated-calls.ts'
import { expand, type Globals, preprocess, readXml, type Tag } from './emulated-configuration.ts'
import type { EmulatedDb } from './emulated-db.ts'

/** A call from outside. */
export interface IncomingCall {
  uuid: string
  from: string
  to: string
  /** Writes the pages; false when the file cannot be made. */
  write: (path: string) => Promise<boolean>
  /** How many the caller sends; with 0 the call ends before its first page. */
  pages: number
  /** The caller hangs up before the fax application begins. */
  isVoice?: boolean
  /** After a change to T.38 the header "To" of the dialogue names the caller. */
  overT38?: boolean
}

/** What a call of the dialplan brought about, in order. */
export interface Reception {
  events: EmulatedEvent[]
  /** The applications that ran. */
  ran: string[]
}

/** Runs the dialplan that was loaded, as far as it concerns faxes. */
export class EmulatedDialplan {
  readonly globals: Globals = new Map()
  readonly #db: EmulatedDb
  #tags: Tag[] = []

  constructor(db: EmulatedDb) {
    this.#db = db
  }

  /** Loads files in the order in which FreeSWITCH comes to them. @throws {Error} for what it would refuse */
  load(...files: string[]): void {
    this.#tags = readXml(files.map((text) => preprocess(text, this.globals)).join('\n'))
  }

  /** Takes a call; the events that would report it. */
  async take(call: IncomingCall): Promise<Reception> {
    const ran: string[] = []
    const events: EmulatedEvent[] = []
    const variables = new Map<string, string>([['uuid', call.uuid]])
    const profile: Record<string, string> = { destination_number: call.to, caller_id_number: call.from }
    const valueOf = (name: string) => this.#api(name) ?? variables.get(name) ?? profile[name] ?? ''
    for (const { attributes } of this.#actionsFor(call.to)) {
      const { application = '', data = '' } = attributes
      const argument = expand(data, valueOf)
      ran.push(application)
      if (application === 'set') {
        const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(argument) ?? []
        variables.set(name, expand(value, valueOf))
      } else if (application === 'playback' && call.isVoice) break
      else if (application === 'rxfax') events.push(await receive(call, argument, variables))
    }
    if (ran.length > 0) events.push(this.#hangUp(call, variables))
    return { events, ran }
  }

  #actionsFor(number: string): Tag[] {
    const conditions = this.#tags.filter(({ name }) => name === 'extension').flatMap(({ children }) => children)
    const taking = conditions.find(({ attributes: { field, expression = '' } }) => {
      return field === 'destination_number' && new RegExp(expression).test(number)
    })
    return taking?.children ?? []
  }

  #api(name: string): string | undefined {
    const [, argument] = /^db\((.*)\)$/s.exec(name) ?? []
    return argument === undefined ? undefined : this.#db.run(argument)
  }

  /** The hook runs before the end of the channel is reported, with the variables it has then. */
  #hangUp(call: IncomingCall, variables: ReadonlyMap<string, string>): EmulatedEvent {
    const [, argument] = /^db::(.*)$/s.exec(variables.get('api_hangup_hook') ?? '') ?? []
    if (argument !== undefined) this.#db.run(expand(argument, (name) => variables.get(name) ?? ''))
    const cause = { 'Hangup-Cause': 'NORMAL_CLEARING' }
    return { headers: { 'Event-Name': 'CHANNEL_HANGUP_COMPLETE', ...cause, ...headersOf(call, variables) } }
  }
}

function headersOf({ uuid, from, to, overT38 }: IncomingCall, variables: ReadonlyMap<string, string>) {
  const named = [...variables].map(([name, value]) => [`variable_${name}`, value] as const)
  return {
    'Unique-ID': uuid,
    'Caller-Caller-ID-Number': from,
    'Caller-Destination-Number': to,
    variable_sip_to_user: overT38 ? from : to,
    ...Object.fromEntries(named),
  }
}

async function receive(call: IncomingCall, path: string, variables: Map<string, string>): Promise<EmulatedEvent> {
  const isWritten = call.pages > 0 && (await call.write(path))
  const text = isWritten ? 'OK' : call.pages > 0 ? 'TIFF/F file cannot be opened' : 'The call dropped prematurely'
  const result = {
    success: isWritten ? '1' : '0',
    'result-text': text,
    'document-transferred-pages': String(isWritten ? call.pages : 0),
  }
  variables.set('fax_filename', path)
  for (const [name, value] of Object.entries(result)) variables.set(`fax_${name.replaceAll('-', '_')}`, value)
  const reported = Object.entries(result).map(([name, value]) => [`fax-${name}`, value] as const)
  const event = { 'Event-Name': 'CUSTOM', 'Event-Subclass': 'spandsp::rxfaxresult' }
  return { headers: { ...event, ...headersOf(call, variables), ...Object.fromEntries(reported) } }
}
