import type { Diagnostics, Finding } from '@faxdeck/contract'
import type { Providers } from '../../api/overview.ts'
import { checkWords, wordsFor } from '../../ui/words/check-words.ts'

type Shown = Diagnostics['checks'][string][string]

/** They say what something is, not whether it works. */
const metaChecks = ['requires_ami', 'needs_storage', 'inbound_verification', 'backend', 'enabled']

const titles: Record<string, string> = { callbacks: 'Public address' }
export interface CheckRow {
  name: string
  label: string
  /** A check has passed or not; anything else is information. */
  state: 'passed' | 'failed' | 'info'
  value: Shown
  finding: Finding | undefined
}

export interface CheckGroup {
  name: string
  title: string
  rows: CheckRow[]
  passed: number
  total: number
  /** Whether all has passed, what failed can wait or was not tested, or something cannot wait. */
  tone: 'ok' | 'warn' | 'bad'
}

/** A provider's group is shown while the provider is in use, or speaks for the one that needs its telephone switch. */
function isShown(name: string, providers: Providers | undefined): boolean {
  const entry = providers?.registry[name]
  if (!providers || !entry) return true
  const { outbound, inbound } = providers.active
  if (name === outbound || name === inbound) return true
  return entry.traits.requires_ami && providers.registry[inbound]?.traits.requires_ami === true
}

function stateOf(name: string, value: Shown): CheckRow['state'] {
  if (typeof value !== 'boolean' || metaChecks.includes(name)) return 'info'
  return value ? 'passed' : 'failed'
}

function toneOf(rows: readonly CheckRow[]): CheckGroup['tone'] {
  const failed = rows.filter(({ state }) => state === 'failed')
  if (failed.length === 0) return 'ok'
  return failed.some(({ finding }) => finding === undefined || finding.severity === 'critical') ? 'bad' : 'warn'
}

/** The groups of a run as they are shown, each with how many of its checks have passed. */
export function groupsOf({ checks, findings }: Diagnostics, providers: Providers | undefined): CheckGroup[] {
  const shown = Object.entries(checks).filter(([name]) => isShown(name, providers))
  return shown.map(([name, group]) => {
    const title = providers?.registry[name]?.name ?? titles[name] ?? wordsFor(name)
    const rows = Object.entries(group).map(([check, value]) => ({
      name: check,
      label: checkWords(check, title),
      state: stateOf(check, value),
      value,
      finding: findings.find((each) => each.group === name && each.check === check),
    }))
    return {
      name,
      title,
      rows,
      passed: rows.filter(({ state }) => state === 'passed').length,
      total: rows.filter(({ state }) => state !== 'info').length,
      tone: toneOf(rows),
    }
  })
}
