import type { DescribedSetting } from '@faxdeck/contract'
import type { Providers } from '../../api/overview.ts'
import {
  beneathOf,
  normalizedEntry,
  type SettingEntries,
  type SettingEntry,
  valueWith,
} from '../../ui/form/setting-entry.ts'
import type { HttpsFacts } from '../../ui/layout/https-note.tsx'

export type Registry = Providers['registry']
export type ProviderEntry = Registry[string]

/** What a person has chosen and entered so far. */
export interface SetupDraft {
  step: number
  /** Chosen providers, by id; absent while the choice is as it was. An empty inbound is the outbound one. */
  outbound?: string
  inbound?: string
  /** By payload key; also those of providers that were chosen and given up again. */
  entries: SettingEntries
  /** Since when a received fax is waited for. */
  waitingSince?: string
}

export const freshDraft: SetupDraft = { step: 0, entries: {} }

/** The draft seen against the settings in force. */
export interface Plan {
  settings: readonly DescribedSetting[]
  registry: Registry
  outbound: ProviderEntry | undefined
  /** The choice: an id, or empty for the same as outbound. */
  inbound: string
  receiver: ProviderEntry | undefined
  /** Whether received faxes are taken, and the receiver delivers any. */
  receives: boolean
  /** What is to be changed, by payload key; nothing that is in force already. */
  changes: SettingEntries
}

/** The value of a setting as it would be once the entry is applied. */
export function plannedValue({ settings }: Pick<Plan, 'settings'>, entries: SettingEntries, key: string) {
  const setting = settings.find((each) => each.key === key)
  return setting ? valueWith(setting, entries[key]) : null
}

/** The providers in force as the first step shows them. */
function choiceInForce(settings: readonly DescribedSetting[]): { outbound: string; inbound: string } {
  const valueOf = (key: string) => plannedValue({ settings }, {}, key)
  const both = valueOf('backend')
  const outbound = String(valueOf('outbound_backend') ?? both ?? '')
  const named = valueOf('inbound_backend')
  if (named !== null) return { outbound, inbound: String(named) }
  return { outbound, inbound: both === outbound ? '' : String(both) }
}

/** The entry that brings a value into force; clearing is enough where nothing beneath says otherwise. */
function clearedTo(setting: DescribedSetting, wanted: string): SettingEntry {
  const { value } = beneathOf(setting)
  return value === null || value === wanted ? null : wanted
}

/** What the choice of providers changes: one name for both directions, a second one only where they differ. */
function choiceEntries(settings: readonly DescribedSetting[], outbound: string, inbound: string): SettingEntries {
  const inForce = choiceInForce(settings)
  if (outbound === inForce.outbound && inbound === inForce.inbound) return {}
  const wanted: Record<string, (setting: DescribedSetting) => SettingEntry> = {
    backend: () => outbound,
    outbound_backend: (setting) => clearedTo(setting, outbound),
    inbound_backend: (setting) => (inbound === '' ? clearedTo(setting, outbound) : inbound),
  }
  const entries = settings.flatMap((setting) => {
    const entry = wanted[setting.key]?.(setting)
    const kept = entry === undefined ? undefined : normalizedEntry(setting, entry)
    return kept === undefined ? [] : [[setting.key, kept] as const]
  })
  return Object.fromEntries(entries)
}

/** Sees the draft against the settings in force. */
export function planOf(draft: SetupDraft, settings: readonly DescribedSetting[], registry: Registry): Plan {
  const inForce = choiceInForce(settings)
  const outbound = draft.outbound ?? inForce.outbound
  const inbound = draft.inbound ?? inForce.inbound
  const receiver = inbound === '' ? outbound : inbound
  const known = settings.filter(({ provider }) => !provider || provider === outbound || provider === receiver)
  const entered = known.flatMap(({ key }) => {
    const entry = draft.entries[key]
    return entry === undefined ? [] : [[key, entry] as const]
  })
  const changes = { ...Object.fromEntries(entered), ...choiceEntries(settings, outbound, inbound) }
  const takes = plannedValue({ settings }, changes, 'inbound_enabled') === true
  return {
    settings,
    registry,
    outbound: registry[outbound],
    inbound,
    receiver: registry[receiver],
    receives: takes && registry[receiver]?.traits.supports_inbound === true,
    changes,
  }
}

/** Those that a person may choose to send through, the recommended one first. */
export function outboundOptions(registry: Registry): ProviderEntry[] {
  const offered = Object.values(registry).filter(({ kind }) => kind !== 'builtin')
  return offered.toSorted((a, b) => Number(b.traits.recommended) - Number(a.traits.recommended))
}

/** Those that deliver received faxes to Faxdeck. */
export const inboundOptions = (registry: Registry): ProviderEntry[] =>
  Object.values(registry).filter(({ kind, traits }) => kind !== 'builtin' && traits.supports_inbound)

/** The settings of a provider's account that matter for what it is to do. */
export function accountSettings(plan: Plan, provider: ProviderEntry): DescribedSetting[] {
  const receives = plan.receives && provider.id === plan.receiver?.id
  return plan.settings.filter((setting) => {
    if (setting.provider !== provider.id) return false
    if (setting.group === 'inbound' && !receives) return false
    const { only_when: condition } = setting
    return !condition || String(plannedValue(plan, plan.changes, condition.key)) === condition.is
  })
}

/** The providers whose accounts are to be set up, each once. */
export function accountsOf({ outbound, receiver, receives }: Plan): ProviderEntry[] {
  const used = [outbound, ...(receives ? [receiver] : [])].filter((entry) => entry !== undefined)
  return [...new Set(used)]
}

/** Whether somebody outside must reach this gateway: to fetch documents and to report. */
export const needsPublicAddress = (providers: readonly ProviderEntry[]) =>
  providers.some(({ kind }) => kind === 'cloud' || kind === 'plugin')

/** The draft after a plan was saved: what was entered meanwhile stays. */
export function settleDraft(draft: SetupDraft, { changes }: Plan): SetupDraft {
  const { outbound: _outbound, inbound: _inbound, ...others } = draft
  const entries = Object.entries(draft.entries).filter(([key, entry]) => changes[key] !== entry)
  return { ...others, entries: Object.fromEntries(entries) }
}

/** Whether faxes would travel in the clear, by what is chosen and entered. */
export function httpsFacts(plan: Plan): HttpsFacts {
  const used = [plan.outbound, ...(plan.receives ? [plan.receiver] : [])].filter((provider) => provider !== undefined)
  return {
    enforced: plannedValue(plan, plan.changes, 'enforce_public_https') === true,
    url: String(plannedValue(plan, plan.changes, 'public_api_url') ?? ''),
    cloud: needsPublicAddress(used),
  }
}
