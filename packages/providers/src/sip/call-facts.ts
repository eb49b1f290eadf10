import { basename, dirname } from 'node:path'
import {
  boundedRecord,
  type CallLog,
  type CallRecord,
  type ReceivedNote,
  type Spool,
  type TimedStep,
} from '@faxdeck/provider-kit'
import type { AmiMessage } from './ami-frames.ts'

const whole = (text: string | null | undefined, longest = 7): number | undefined =>
  text && new RegExp(`^\\d{1,${longest}}$`).test(text) ? Number(text) : undefined

/** A step by the seconds of the switch's own clock. */
function stepAt(step: TimedStep['step'], text: string | null): TimedStep[] {
  const seconds = whole(text, 11)
  return seconds === undefined ? [] : [{ step, at: new Date(seconds * 1000).toISOString() }]
}

/** What Asterisk counts of the audio (RTCP): `rxjitter` in seconds, `lp` packets that did not come. */
function audioQuality(text: string): CallRecord {
  const facts = new URLSearchParams(text.replaceAll(';', '&'))
  const [jitter, lost, count] = [facts.get('rxjitter'), whole(facts.get('lp')), whole(facts.get('rxcount'), 9)]
  // Without a packet nothing was measured.
  if (!count) return {}
  return {
    ...(jitter && /^\d{1,4}(\.\d{1,9})?$/.test(jitter) ? { jitter_ms: Number(jitter) * 1000 } : {}),
    ...(lost === undefined ? {} : { lost_packets: lost }),
  }
}

/** The first format of `(ulaw|alaw)`; formats that were only offered before the call was answered do not count. */
const codecOf = (text: string, answered: boolean) => (answered ? /^\((\w{1,20})\)$/.exec(text)?.[1] : undefined)

/** What the dialplan wrote of a call, by the names it gives. Until a page begins, it reports defaults for what was not agreed on. */
export function reportedRecord(reported: URLSearchParams): CallRecord {
  const resolution = reported.get('resolution') ?? ''
  const begun = resolution === '' ? reported.get('status') === 'SUCCESS' : resolution !== '0x0'
  const text = (name: string) => reported.get(name) ?? ''
  const answered = text('answered') === '1'
  const [rate, mode] = [whole(text('rate')), text('mode').toLowerCase()]
  const codec = codecOf(text('codec'), answered)
  const sip = text('sip').replace(/^SIP /, '')
  const steps = [...stepAt('answered', reported.get('answeredat')), ...stepAt('ended', reported.get('endedat'))]
  const pages = whole(text('pages'), 5)
  return {
    ...(begun && (mode === 't38' || mode === 'audio') ? { transport: mode } : {}),
    ...(codec === undefined ? {} : { codec }),
    station: text('station'),
    ...(begun && rate ? { speeds: [{ bps: rate }] } : {}),
    ...(answered && pages !== undefined ? { pages } : {}),
    ...(whole(text('cause')) ? { cause: Number(text('cause')) } : {}),
    ...(/^\d{3} /.test(sip) ? { sip } : {}),
    ...audioQuality(text('rtp')),
    ...(steps.length > 0 ? { steps } : {}),
  }
}

/** What the dialplan noted of a received call; undefined when it is one of an older Faxdeck and no machine named itself. */
export function recordOfNote({ call, station, pages }: ReceivedNote): CallRecord | undefined {
  if (call === '') return boundedRecord({ station })
  return boundedRecord({ ...reportedRecord(new URLSearchParams(call)), station, pages })
}

/** Whose session it is, by the file it sends or writes: the dialplan names them after our attempt and its own call. */
export function sessionOf(file: string, spool: Spool) {
  const [folder, name] = [dirname(file), basename(file)]
  const attempt = folder === spool.outbox ? /^([0-9a-z]{8,64})\.tif$/.exec(name)?.[1] : undefined
  if (attempt !== undefined) return { id: attempt, direction: 'sent', numbers: {} } as const
  const received = /^([\w.-]{1,150})_([+0-9]{0,20})_([+0-9]{0,20})\.tif$/.exec(name)
  if (basename(folder) !== 'inbox' || !received) return undefined
  const [, id = '', to = '', from = ''] = received
  return { id, direction: 'received', numbers: { to, from } } as const
}

/** Notes what `FAXSession` of the manager interface says of a fax under way. Until a speed is agreed on, it reports defaults. */
export function noteSession(event: AmiMessage, spool: Spool, calls: CallLog): void {
  const session = sessionOf(event.get('filename') ?? '', spool)
  if (!session) return
  const { id, direction, numbers } = session
  calls.note(id, {}, direction, numbers)
  if ((event.get('imageresolution') ?? '0x0') === '0x0') return
  calls.step(id, 'agreed')
  const pages = whole(event.get(direction === 'sent' ? 'pagestransmitted' : 'pagesreceived'), 5) ?? 0
  const [rate, ecm, bad] = [
    whole(event.get('datarate')),
    event.get('errorcorrectionmode')?.toLowerCase(),
    whole(event.get('totalbadlines')),
  ]
  if (rate) calls.speed(id, rate, pages)
  calls.note(id, {
    ...(ecm === 'yes' || ecm === 'no' ? { ecm: ecm === 'yes' } : {}),
    // What a machine received badly, it alone counts.
    ...(direction === 'received' && bad !== undefined ? { bad_rows: bad } : {}),
  })
  if (pages > 0) calls.step(id, 'page', pages)
}
