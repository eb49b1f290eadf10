import type { CoverFields, CoverTemplate } from '@faxdeck/contract'

/** The cover page of a draft. Its words stay while no cover is chosen, but are not sent then. */
export interface CoverDraft {
  template: CoverTemplate
  to: string
  from: string
  subject: string
  note: string
}

export const blankCover: CoverDraft = { template: 'none', to: '', from: '', subject: '', note: '' }

/** What stays for the next fax, and may be kept: nothing about the person it was for. */
export type StoredCover = Pick<CoverDraft, 'template' | 'from'>

/** The cover page of the next fax. */
export const nextCover = ({ template, from }: StoredCover): CoverDraft => ({ ...blankCover, template, from })

/** Whether clearing it would lose something that was written for this fax. */
export const holdsWords = ({ template, to, subject, note }: CoverDraft): boolean =>
  template !== 'none' && [to, subject, note].some((text) => text.trim() !== '')

export function isSameCover(one: CoverDraft, other: CoverDraft): boolean {
  if (one.template === 'none' && other.template === 'none') return true
  return (Object.keys(blankCover) as (keyof CoverDraft)[]).every((name) => one[name] === other[name])
}

/** As it is sent. */
export function coverFieldsOf({ template, to, from, subject, note }: CoverDraft): CoverFields {
  if (template === 'none') return { cover: 'none' }
  return { cover: template, cover_to: to, cover_from: from, cover_subject: subject, cover_note: note }
}
