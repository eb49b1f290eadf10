import type { FailureKind } from '../provider.ts'

/** Why a call did not deliver. */
export interface CallFailure {
  kind: FailureKind
  sentence: string
}

/**
 * What became of a call that somebody took and that did not deliver. It is judged by the words of the fax engine
 * (spandsp), which are the same in every build, unlike its numbers.
 * @param error the engine's words; may be empty
 * @param pages confirmed ones
 */
export function judgeBrokenCall(error: string, pages: number): CallFailure {
  const told = error === '' || error === 'HANGUP' ? '' : `: ${error.replace(/\.$/, '')}`
  if (pages > 0) {
    const sent = pages === 1 ? '1 page' : `${pages} pages`
    return { kind: 'partial', sentence: `The call broke off after ${sent}${told}.` }
  }
  if (/^(FILE_ERROR|TIFF\/F)/.test(error)) {
    return { kind: 'bad_document', sentence: `The fax engine cannot read the pages${told}.` }
  }
  if (/^(Far end|INVALID_ARGUMENTS|INIT_ERROR)/.test(error)) {
    return { kind: 'rejected', sentence: `The fax could not be sent${told}.` }
  }
  return { kind: 'line_error', sentence: `The call broke off before a page was confirmed${told}.` }
}

/** Foreign words, fit for a sentence. */
export function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '').slice(0, 120)
}
