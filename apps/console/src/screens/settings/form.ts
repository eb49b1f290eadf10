import type { DescribedSetting } from '@faxdeck/contract'
import { createContext, use } from 'react'
import type { Providers } from '../../api/overview.ts'
import type { OutboundChange } from '../../ui/fax/outbound-question.tsx'
import { type SettingEntries, type SettingEntry, valueWith } from '../../ui/form/setting-entry.ts'
import type { HttpsFacts } from '../../ui/layout/https-note.tsx'
import type { Section } from './sections/sections.ts'

/** What the parts of the screen share: the rows, what is entered, and what was said against it. */
export interface Form {
  rows: readonly DescribedSetting[]
  providers: Providers | undefined
  entries: SettingEntries
  enter: (key: string, entry: SettingEntry | undefined) => void
  /** What the gateway refused at the last try, by key. */
  refusals: Readonly<Record<string, string>>
}

export const FormContext = createContext<Form | null>(null)

export function useForm(): Form {
  const form = use(FormContext)
  if (!form) throw new Error('useForm is called outside the settings screen.')
  return form
}

/** The value of a setting as it would be after saving. */
export function valueOf({ rows, entries }: Pick<Form, 'rows' | 'entries'>, key: string): DescribedSetting['value'] {
  const row = rows.find((each) => each.key === key)
  return row ? valueWith(row, entries[key]) : null
}

/** The provider that Set Active chose and the next reload puts in place. A choice made on this screen counts instead. */
export function pendingOutbound(form: Pick<Form, 'rows' | 'entries'>): OutboundChange | undefined {
  const { rows, entries } = form
  const mark = rows.find(({ key }) => key === 'next_outbound_backend')
  const now = valueOf(form, 'outbound_backend') ?? valueOf(form, 'backend')
  const isChosenHere = [mark?.key ?? '', 'outbound_backend', 'backend'].some((key) => entries[key] !== undefined)
  if (!mark || mark.value === null || mark.value === now || isChosenHere) return undefined
  const nameOf = (id: typeof now) => mark.choices?.find(({ value }) => value === id)?.label ?? String(id)
  return { from: nameOf(now), to: nameOf(mark.value) }
}

/** Whether a row is of use now: some are so only while another setting has a certain value. */
export function isOfUse(form: Pick<Form, 'rows' | 'entries'>, { only_when: condition }: DescribedSetting): boolean {
  return condition === undefined || String(valueOf(form, condition.key)) === condition.is
}

/** Whether anything of a section is entered and not saved. */
export function isUnsaved({ entries }: Pick<Form, 'entries'>, { parts }: Section): boolean {
  return parts.some(({ rows }) => rows.some(({ key }) => entries[key] !== undefined))
}

/** Whether a provider elsewhere would send or receive for us. */
function usesCloud(form: Form): boolean {
  const chosen = (key: string) => String(valueOf(form, key) ?? valueOf(form, 'backend'))
  const isCloud = (id: string) => form.providers?.registry[id]?.kind === 'cloud'
  const sends = valueOf(form, 'fax_disabled') !== true && isCloud(chosen('outbound_backend'))
  return sends || (valueOf(form, 'inbound_enabled') === true && isCloud(chosen('inbound_backend')))
}

/** Whether faxes would travel in the clear, by what is entered. */
export const httpsFacts = (form: Form): HttpsFacts => ({
  enforced: valueOf(form, 'enforce_public_https') === true,
  url: String(valueOf(form, 'public_api_url') ?? ''),
  cloud: usesCloud(form),
})
