import type { DescribedSetting } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'

/** What a person has entered for a setting and not yet saved; null resets it to the layer beneath. */
export type SettingEntry = string | boolean | null
/** By payload key; what is absent is as it was. */
export type SettingEntries = Readonly<Record<string, SettingEntry>>

/** The entries with one entered, or with undefined forgotten. */
export function withEntry(entries: SettingEntries, key: string, entry: SettingEntry | undefined): SettingEntries {
  const { [key]: _, ...others } = entries
  return entry === undefined ? others : { ...others, [key]: entry }
}

/** The body of an update. */
export type SettingsPatch = Record<string, string | number | boolean | null>

type Value = DescribedSetting['value']

/** What comes into force when the saved value is cleared. */
export function beneathOf({ beneath, source, value }: DescribedSetting): {
  value: Value
  source: DescribedSetting['source']
} {
  return beneath ?? { value, source }
}

/** Whether the entry asks for the layer beneath: by a reset, or as the wire reads an empty text. */
export const isReset = (entry: SettingEntry | undefined) => entry === null || entry === ''

function textOf(value: Value): string {
  return value === null ? '' : String(value)
}

/** What the control shows: the entry, else the value in force. Of a secret only what is being typed. */
export function shownText(setting: DescribedSetting, entry: SettingEntry | undefined): string {
  if (setting.type === 'secret') return typeof entry === 'string' ? entry : ''
  if (entry === null) return textOf(beneathOf(setting).value)
  return entry === undefined ? textOf(setting.value) : String(entry)
}

/** The value a rule may look at: the entry as far as it can be read, else the value in force. */
export function valueWith(setting: DescribedSetting, entry: SettingEntry | undefined): Value {
  if (entry === undefined) return setting.value
  if (isReset(entry)) return beneathOf(setting).value
  return setting.type === 'number' ? Number(entry) : entry
}

/** What is kept of an entry: nothing when it says what is in force anyway. */
export function normalizedEntry(setting: DescribedSetting, entry: SettingEntry): SettingEntry | undefined {
  const trimmed = typeof entry === 'string' ? entry.trim() : entry
  if (setting.type === 'secret') return trimmed === '' ? undefined : entry
  if (entry === null) return setting.source === 'saved' ? null : undefined
  if (trimmed === '' && setting.source !== 'saved') return setting.value === null ? undefined : entry
  return trimmed === setting.value || trimmed === textOf(setting.value) ? undefined : entry
}

/**
 * An entry as it is when the person is done with it: of an invalid number the row's fallback, of an emptied field
 * what counts then. Undefined when it says nothing new.
 */
export function settledEntry(setting: DescribedSetting, entry: SettingEntry): SettingEntry | undefined {
  if (typeof entry !== 'string') return entry
  const text = entry.trim()
  const unread = text === '' || Number.isNaN(Number(text))
  if (setting.type === 'number' && setting.fallback !== undefined && unread) {
    return normalizedEntry(setting, String(setting.fallback))
  }
  return normalizedEntry(setting, text === '' && beneathOf(setting).value !== null ? null : text)
}

/** What is wrong with an entry, as far as it can be checked without the gateway. */
export function entryFault(setting: DescribedSetting, entry: SettingEntry | undefined): string | undefined {
  if (entry === undefined || entry === null || typeof entry === 'boolean') return undefined
  const text = entry.trim()
  if (setting.type === 'number') return text === '' ? undefined : numberFault(setting, Number(text))
  if (setting.type === 'choice' && text !== '' && !setting.choices?.some(({ value }) => value === text)) {
    return 'Choose one from the list.'
  }
  return undefined
}

function numberFault({ min = 0, max = Infinity, fraction }: DescribedSetting, value: number): string | undefined {
  const fits = fraction ? Number.isFinite(value) : Number.isInteger(value)
  if (fits && value >= min && value <= max) return undefined
  return `It must be a ${fraction ? '' : 'whole '}number from ${min} to ${max}.`
}

/** The body of an update: every entry as the wire takes it. */
export function patchOf(settings: readonly DescribedSetting[], entries: SettingEntries): SettingsPatch {
  const body: SettingsPatch = {}
  for (const setting of settings) {
    const entry = entries[setting.key]
    if (entry === undefined) continue
    const settled = settledEntry(setting, entry)
    if (settled === undefined) continue
    if (isReset(settled)) body[setting.key] = null
    else body[setting.key] = setting.type === 'number' ? Number(settled) : settled
  }
  return body
}

/** The entries that still say something new, now that the rows may have been read again. */
export function liveEntries(rows: readonly DescribedSetting[], entries: SettingEntries): SettingEntries {
  const kept = rows.flatMap((row) => {
    const entry = entries[row.key]
    const live = entry === undefined ? undefined : normalizedEntry(row, entry)
    return live === undefined ? [] : [[row.key, live] as const]
  })
  return Object.fromEntries(kept)
}

/** The first setting whose entry cannot be saved. */
export function firstFault(rows: readonly DescribedSetting[], entries: SettingEntries): string | undefined {
  return rows.find((row) => {
    const entry = entries[row.key]
    return entry !== undefined && entryFault(row, settledEntry(row, entry)) !== undefined
  })?.key
}

/** What the gateway said against single settings; it counts until another value is entered. */
export function refusalsOf(
  error: CallProblem | null,
  tried: SettingsPatch | undefined,
  now: SettingsPatch,
): Record<string, string> {
  const fields = error?.answer?.fields ?? []
  const standing = fields.filter(({ field }) => tried !== undefined && tried[field] === now[field])
  return Object.fromEntries(standing.map(({ field, message }) => [field, message]))
}

/** One setting that was refused, by the name that people know. */
export interface SettingFault {
  key: string
  label: string
  message: string
}

/** The same with the names of the settings, in the order of the form. */
export function faultsOf(
  rows: readonly DescribedSetting[],
  refusals: Readonly<Record<string, string>>,
): SettingFault[] {
  return rows.flatMap(({ key, label }) => {
    const message = refusals[key]
    return message === undefined ? [] : [{ key, label, message }]
  })
}
