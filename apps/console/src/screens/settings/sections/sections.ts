import type { DescribedSetting } from '@faxdeck/contract'
import { providerName, type Providers } from '../../../api/overview.ts'

export interface Section {
  /** What `open` names: "security", "provider-phaxio". */
  key: string
  title: string
  /** One line: what is decided here. */
  purpose: string
  /** The rows, in parts with a title of their own where there are several. */
  parts: { title?: string; rows: DescribedSetting[] }[]
}

/** A section for one provider. */
export interface ProviderSection extends Section {
  provider: string
}

const plain = [
  { key: 'backend', title: 'Backend Configuration', purpose: 'Which providers send and receive faxes.' },
  { key: 'security', title: 'Security Settings', purpose: 'Who can connect, from where, and what is recorded.' },
  {
    key: 'features',
    title: 'Feature Flags',
    purpose: 'Optional features. Plugins add providers through HTTP manifests.',
  },
  { key: 'storage', title: 'Storage', purpose: 'Where documents are stored.' },
] as const

/** Title of the part that the database's own buttons stand in. */
export const databasePart = 'Database'
const advanced = {
  database: databasePart,
  limits: 'Limits',
  retry: 'Retries',
  server: 'Server',
  advanced: 'Pages and lines',
} as const

/** Groups that have a screen of their own. */
export const elsewhere = { mcp: 'settings/mcp' } as const
/** Groups whose section shows them in its own way. */
export const ownWay = { tunnel: 'tunnel' } as const

const ofGroup = (rows: readonly DescribedSetting[], group: string) => rows.filter((row) => row.group === group)

/** Providers in the order in which they are offered, then those that nobody offers. */
function providersIn(rows: readonly DescribedSetting[], providers: Providers | undefined): string[] {
  const known = Object.keys(providers?.registry ?? {})
  const named = rows.flatMap(({ provider }) => provider ?? [])
  return [...new Set([...known.filter((id) => named.includes(id)), ...named])]
}

function partsByProvider(rows: readonly DescribedSetting[], providers: Providers | undefined): Section['parts'] {
  const parts = providersIn(rows, providers).map((id) => ({
    title: `Through ${providerName(id, providers)}`,
    rows: rows.filter(({ provider }) => provider === id),
  }))
  return [{ rows: rows.filter(({ provider }) => provider === undefined) }, ...parts]
}

/** One section for each provider that has settings. */
export function providerSections(
  rows: readonly DescribedSetting[],
  providers: Providers | undefined,
): ProviderSection[] {
  const own = ofGroup(rows, 'provider')
  return providersIn(own, providers).map((id) => ({
    key: `provider-${id}`,
    provider: id,
    title: providerName(id, providers),
    purpose: '',
    parts: [{ rows: own.filter(({ provider }) => provider === id) }],
  }))
}

/** The other sections, by key. */
export function sectionsOf(
  rows: readonly DescribedSetting[],
  providers: Providers | undefined,
): Record<'backend' | 'security' | 'features' | 'inbound' | 'storage' | 'advanced', Section> {
  const [backend, security, features, storage] = plain.map((section): Section => ({
    ...section,
    parts: [{ rows: ofGroup(rows, section.key) }],
  })) as [Section, Section, Section, Section]
  const shown = new Set([
    'provider',
    'inbound',
    ...plain.map(({ key }) => key as string),
    ...Object.keys(elsewhere),
    ...Object.keys(ownWay),
  ])
  const named = Object.entries(advanced).map(([group, title]) => ({ title, rows: ofGroup(rows, group) }))
  const rest = rows.filter(({ group }) => !shown.has(group) && !Object.hasOwn(advanced, group))
  return {
    backend,
    security,
    features,
    storage,
    inbound: {
      key: 'inbound',
      title: 'Inbound Receiving',
      purpose: 'Whether faxes are received, how callbacks are verified, and how long faxes are kept.',
      parts: partsByProvider(ofGroup(rows, 'inbound'), providers),
    },
    advanced: {
      key: 'advanced',
      title: 'Advanced',
      purpose: 'Database, limits, retries and server.',
      parts: [...named, { title: 'Other', rows: rest }].filter((part) => part.rows.length > 0),
    },
  }
}
