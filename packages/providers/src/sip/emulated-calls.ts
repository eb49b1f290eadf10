import { writeFile } from 'node:fs/promises'
import type { DialedCall, DialedEnd } from '@faxdeck/provider-kit/emulator'

/** A call as Originate asked for it; its id is the channel's unique id, its paths are as the gateway gave them. */
export interface EmulatedCall extends DialedCall {
  attemptId: string
  result: string
}

export type AmiEvent = Readonly<Record<string, string>>

/** Q.850 causes and reasons of Originate, as a real Asterisk was seen to report them. */
const unanswered: Readonly<Record<string, readonly [cause: string, reason: string]>> = {
  busy: ['17', '0'],
  no_answer: ['19', '3'],
  bad_number: ['1', '0'],
}

/** Leaves the note that the shipped dialplan would leave of a call; the events that report it. */
export async function leaveResult(
  { attemptId, id, to, result }: EmulatedCall,
  { ending, pages, delivered, pagesConfirmed }: DialedEnd,
): Promise<AmiEvent[]> {
  const channel = { Channel: `PJSIP/trunk-${attemptId.slice(0, 8)}`, Uniqueid: id, Exten: 'send' }
  const [cause = '16', reason = ''] = unanswered[ending] ?? []
  const wasAnswered = unanswered[ending] === undefined
  const began = ending !== 'cancelled' && pages > 0
  const status = delivered ? 'SUCCESS' : 'FAILED'
  const error = delivered ? 'HANGUP' : pages === 0 ? 'FILE_ERROR' : 'The%20call%20dropped%20prematurely'
  const fax = wasAnswered
    ? `&status=${status}&pages=${pagesConfirmed}&mode=audio&rate=14400&resolution=${began ? '8031x7700' : '0x0'}&error=${error}&station=%2B${to.replace('+', '')}`
    : '&status=&pages=&mode=&rate=&resolution=&error=&station='
  const reported = `attempt=${attemptId}&answered=${wasAnswered ? '1' : ''}&cause=${cause}${fax}&end=1`
  await writeFile(result, reported).catch(() => undefined)
  const sent = { Event: 'UserEvent', ...channel, UserEvent: 'FaxdeckSent', Result: reported }
  const hangup = { Event: 'Hangup', ...channel, Cause: cause, 'Cause-txt': 'as it is' }
  const failure = { Event: 'OriginateResponse', ActionID: attemptId, Response: 'Failure', ...channel, Reason: reason }
  return wasAnswered ? [sent, hangup] : [sent, failure, hangup]
}
