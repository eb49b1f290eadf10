import type { FailureKind, StatusUpdate } from '../provider.ts'

/** Why a call did not deliver. */
export interface CallFailure {
  kind: FailureKind
  sentence: string
  again?: NonNullable<StatusUpdate['again']>
}

/** A call that somebody took and that did not deliver, as the engine reports it. */
export interface BrokenCall {
  /** The engine's words; may be empty. */
  error: string
  /** Confirmed ones. */
  pages: number
  /** False when the engine is certain that it never came to its first page; true also when that is not known. */
  hasBegun: boolean
  /** False when the engine is certain that no fax machine ever identified itself; true also when that is not known. */
  hasIdentified?: boolean
}

/** Words for calls that ended in phase B of T.30 or before. */
const phaseB =
  /^(T38_NEG_ERROR|MEMORY_ERROR|Channel Problems|The CED tone|Timed out waiting for (initial communication|the first message)|Failed to train|Received bad response to DCS|Received no response to DCS|Received (a DCN|other than DIS) while waiting for (a )?DIS)/i

/** Words for a call that was silent to the end: a person hung up, or the engine gave up listening. */
const silence =
  /^$|^(HANGUP|T38_NEG_ERROR|The call dropped prematurely|Timed out waiting for (initial communication|the first message))/i
export const voiceSentence = 'Somebody answered, but no fax machine was heard. Check the number.'

/** Words for a machine that takes faxes, but not such fine ones: said before the first page. */
const tooFine = /^Far end cannot receive at the resolution/i
export const isTooFine = (words: string): boolean => tooFine.test(words)
export const tooFineSentence = 'The receiving machine cannot take pages of this resolution. None was sent.'

/** Words for a machine that cannot take such a fax at all: said before the first page. */
export const isUnable = (words: string): boolean => /^Far end (is not|cannot)/i.test(words)

/** Whether words of a fax engine say that the two machines never came to a page. */
export const isBeforeAnyPage = (words: string): boolean => phaseB.test(words)

/**
 * Whether the engine had begun with a page (spandsp): its resolution is `0x0` until then.
 * @param resolution undefined or empty when it was not reported
 */
export const hasBegunPage = (resolution: string | undefined): boolean => resolution !== '0x0'

/**
 * How a call ended that was answered and did not deliver. It is judged by the words of the fax engine
 * (spandsp), which are the same in every build, unlike its numbers. A page that is not confirmed may have arrived all
 * the same: a receiving machine keeps it as soon as it has it, and its word of that may be lost with the line.
 */
export function judgeBrokenCall({ error, pages, hasBegun, hasIdentified = true }: BrokenCall): CallFailure {
  const reported = error === '' || error === 'HANGUP' ? '' : `: ${error.replace(/\.$/, '')}`
  if (pages > 0) {
    const sent = pages === 1 ? '1 page' : `${pages} pages`
    return { kind: 'partial', sentence: `The call was cut off after ${sent}${reported}.` }
  }
  if (/^(FILE_ERROR|TIFF\/F)/.test(error)) {
    return { kind: 'bad_document', sentence: `The fax engine cannot read the pages${reported}.` }
  }
  if (isTooFine(error)) return { kind: 'rejected', sentence: tooFineSentence, again: 'coarser' }
  if (/^(Far end|INVALID_ARGUMENTS|INIT_ERROR)/.test(error)) {
    return { kind: 'rejected', sentence: `The fax could not be sent${reported}.` }
  }
  const isBefore = !hasBegun || isBeforeAnyPage(error)
  if (isBefore && !hasIdentified && silence.test(error)) {
    return { kind: 'line_error', sentence: voiceSentence, again: 'unheard' }
  }
  if (isBefore) {
    return { kind: 'line_error', sentence: `The call was cut off before the first page${reported}.` }
  }
  return { kind: 'partial', sentence: `The call was cut off, and the first page may have been printed${reported}.` }
}

/** Foreign words, fit for a sentence. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 120)
}
