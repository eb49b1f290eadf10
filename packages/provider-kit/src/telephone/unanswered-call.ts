import type { CallRecord } from '../call-record.ts'
import type { CallFailure } from '../outcome/broken-call.ts'

/** ITU-T Q.850, as far as it reports more than "it did not work". */
const causes: Readonly<Record<number, CallFailure>> = {
  1: { kind: 'bad_number', sentence: 'There is no such number.' },
  3: { kind: 'line_error', sentence: 'The network knows no way to this number.' },
  17: { kind: 'busy', sentence: 'The line was busy.' },
  18: { kind: 'no_answer', sentence: 'Nobody answered.' },
  19: { kind: 'no_answer', sentence: 'Nobody answered.' },
  20: { kind: 'no_answer', sentence: 'The called line is currently unavailable.' },
  21: { kind: 'rejected', sentence: 'The call was rejected.' },
  22: { kind: 'bad_number', sentence: 'The number has changed.' },
  27: { kind: 'line_error', sentence: 'The called line is out of order.' },
  28: { kind: 'bad_number', sentence: 'The number is not complete.' },
  34: { kind: 'line_error', sentence: 'Every line on the way to the number was busy.' },
  38: { kind: 'line_error', sentence: 'The network on the way to the number is out of order.' },
  41: { kind: 'line_error', sentence: 'The network on the way to the number failed for a moment.' },
  42: { kind: 'line_error', sentence: 'The network on the way to the number is overloaded.' },
  58: { kind: 'line_error', sentence: 'The other side takes no codec that carries a fax (G.711).' },
  88: { kind: 'line_error', sentence: 'The other side takes no codec that carries a fax (G.711).' },
  102: { kind: 'line_error', sentence: 'The network on the way to the number did not answer in time.' },
}

/** Why a call that nobody took was not put through: by the answer of SIP where it says more, else by its cause. */
export function failureOfUnanswered({ cause = 0, sip = '' }: Pick<CallRecord, 'cause' | 'sip'>): CallFailure {
  // A challenge that was answered comes again where user or password are wrong.
  if (/^40[17]\b/.test(sip)) {
    return { kind: 'bad_credentials', sentence: `The carrier refused the user name or password of the trunk (${sip}).` }
  }
  if (/^3\d\d\b/.test(sip)) {
    const sentence = `The carrier redirects this number to another one (${sip}), which Faxdeck does not call, because nobody chose it. Ask the recipient for the right number.`
    return { kind: 'rejected', sentence }
  }
  return causes[cause] ?? { kind: 'line_error', sentence: 'The call could not be put through.' }
}
