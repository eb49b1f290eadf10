import { type Fax, maskNumber } from '@faxdeck/contract'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import type { Cell, Painted } from './output.ts'

interface State {
  status: string
  needs_attention?: boolean
  test?: boolean
  held?: object | null
  waiting_for?: string | null
  next_try_at?: string | null
}

const styles: Readonly<Record<string, Painted['style']>> = {
  SUCCESS: 'green',
  received: 'green',
  FAILED: 'red',
  failed: 'red',
}

/** What needs a person, of a fax that has ended. */
const needs: Readonly<Record<string, string>> = { SUCCESS: 'needs a look', FAILED: 'partial' }

/** The state of a fax as a word. */
export function stateCell(fax: State): Cell {
  const { status, needs_attention: needsPerson, test = false, held = null } = fax
  if (held) return { text: 'held', style: 'yellow' }
  if (needsPerson) return { text: needs[status] ?? 'uncertain', style: 'yellow' }
  if (fax.waiting_for || (status === 'in_progress' && fax.next_try_at)) return { text: 'waiting', style: 'yellow' }
  return test ? { text: `${status} (test)`, style: 'yellow' } : { text: status, style: styles[status] }
}

/** A fax with its number as it may be shown. */
export const shownFax = (fax: Fax, numbers: boolean): Fax => ({ ...fax, to: numbers ? fax.to : maskNumber(fax.to) })

/** A fax as the commands that change one answer it: its number masked, also under the name that lists of jobs have. */
export const changedFax = (fax: Fax) => ({ ...shownFax(fax, false), to_number: maskNumber(fax.to) })

/** An instant in the time of this machine. */
export const timeOf = (instant: string) => new Date(instant).toLocaleString('sv-SE')

const pagesOf = ({ pages, pages_confirmed: confirmed }: Fax) =>
  confirmed === null || confirmed === pages ? String(pages ?? '') : `${confirmed} of ${pages ?? '?'}`

export const faxHeading = ['Fax', 'To', 'State', 'Pages', 'Since', 'Message']

/** A row of a table of faxes. */
export function faxRow(fax: Fax, numbers: boolean): Cell[] {
  const { id, to } = shownFax(fax, numbers)
  return [id, to, stateCell(fax), pagesOf(fax), timeOf(fax.updated_at), fax.held?.sentence ?? fax.error ?? '']
}

/** Finished, or in the hands of a person. */
export const isSettled = (fax: Fax) => fax.status === 'SUCCESS' || fax.status === 'FAILED' || fax.needs_attention

/** The code for several faxes. Not knowing weighs more than a failure: a script must not send such a fax again. */
export function outcomeOf(faxes: readonly Fax[]): ExitCode {
  if (faxes.some((fax) => fax.needs_attention && needs[fax.status] === undefined)) return exitCodes.uncertain
  if (faxes.some((fax) => !isSettled(fax))) return exitCodes.underWay
  return faxes.some((fax) => fax.status === 'FAILED') ? exitCodes.failed : exitCodes.done
}
