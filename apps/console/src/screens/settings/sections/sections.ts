import type { DescribedSetting } from '@faxdeck/contract'
import { providerName, type Providers } from '../../../api/overview.ts'

type Rows = readonly DescribedSetting[]

export interface Section {
  /** What `open` names: "security", "provider-phaxio". */
  key: string
  title: string
  /** One line: what is decided here. */
  purpose?: string
  /** Of a section for one provider. */
  provider?: string
  /** The rows, in parts with a title of their own where there are several. */
  parts: { title?: string; rows: Rows }[]
}

/** What is shown at once, and the sections on it. */
export interface Page {
  /** What `open` names when it is the page as a whole: "page-security". */
  key: string
  title: string
  sections: readonly Section[]
}

/** Title of the part that the database's own buttons stand in. */
export const databasePart = 'Database'
const sending = { retry: 'Retries', advanced: 'Pages and lines' } as const
const advanced = { database: databasePart, limits: 'Limits', server: 'Server' } as const
/** Groups whose section bears their name, and those of the two tables above. */
const placed = [
  ...['backend', 'features', 'inbound', 'provider', 'security', 'tunnel', 'sign_in', 'single_sign_on', 'storage'],
  ...[...Object.keys(sending), ...Object.keys(advanced)],
]

/** Groups that have a screen of their own. */
export const elsewhere = { mcp: 'settings/mcp' } as const
/** Groups whose section shows them in its own way. */
export const ownWay = { tunnel: 'tunnel' } as const

const ofGroup = (rows: Rows, group: string) => rows.filter((row) => row.group === group)
const partsOf = (rows: Rows, titles: Readonly<Record<string, string>>) =>
  Object.entries(titles).map(([group, title]) => ({ title, rows: ofGroup(rows, group) }))

/** Providers in the order in which they are offered, then those that nobody offers. */
function providersIn(rows: Rows, providers: Providers | undefined): string[] {
  const known = Object.keys(providers?.registry ?? {})
  const named = rows.flatMap(({ provider }) => provider ?? [])
  return [...new Set([...known.filter((id) => named.includes(id)), ...named])]
}

function partsByProvider(rows: Rows, providers: Providers | undefined): Section['parts'] {
  const parts = providersIn(rows, providers).map((id) => ({
    title: `Through ${providerName(id, providers)}`,
    rows: rows.filter(({ provider }) => provider === id),
  }))
  return [{ rows: rows.filter(({ provider }) => provider === undefined) }, ...parts]
}

/** One section for each provider that has settings. */
function providerSections(rows: Rows, providers: Providers | undefined): Section[] {
  return providersIn(rows, providers).map((id) => ({
    key: `provider-${id}`,
    provider: id,
    title: providerName(id, providers),
    parts: [{ rows: rows.filter(({ provider }) => provider === id) }],
  }))
}

/** Every section, on its page. */
export function pagesOf(rows: Rows, providers: Providers | undefined): Page[] {
  const section = (key: string, title: string, purpose?: string, parts?: Section['parts']): Section => ({
    key,
    title,
    ...(purpose !== undefined && { purpose }),
    parts: (parts ?? [{ rows: ofGroup(rows, key) }]).filter((part) => part.rows.length > 0),
  })
  const page = (key: string, title: string, ...sections: Section[]) => ({ key: `page-${key}`, title, sections })
  const others = rows.filter(({ group }) => !placed.includes(group) && !Object.hasOwn(elsewhere, group))
  const features = 'Optional features. Plugins add providers through HTTP manifests.'
  const inbound = 'Whether faxes are received, how callbacks are verified, and how long faxes are kept.'
  const signOn = 'People sign in with the account that your organization gave them.'
  return [
    page(
      'general',
      'General',
      section('backend', 'Backend Configuration', 'Which providers send and receive faxes.'),
      section('features', 'Feature Flags', features),
    ),
    page('sending', 'Sending', section('sending', 'Sending', 'Retries, pages and lines.', partsOf(rows, sending))),
    page(
      'receiving',
      'Receiving',
      section('inbound', 'Inbound Receiving', inbound, partsByProvider(ofGroup(rows, 'inbound'), providers)),
    ),
    page('providers', 'Providers', ...providerSections(ofGroup(rows, 'provider'), providers)),
    page(
      'security',
      'Security',
      section('security', 'Security Settings', 'Who can connect, from where, and what is recorded.'),
      section('tunnel', 'VPN Tunnel'),
    ),
    page(
      'sign-in',
      'Sign-in',
      section('sign_in', 'Sign-in', 'How people sign in, and for how long.'),
      section('single_sign_on', 'Single sign-on', signOn),
    ),
    page('storage', 'Storage', section('storage', 'Storage', 'Where documents are stored.')),
    page(
      'advanced',
      'Advanced',
      section('advanced', 'Advanced', 'Database, limits and server.', [
        ...partsOf(rows, advanced),
        { title: 'Other', rows: others },
      ]),
    ),
    page('env', 'faxdeck.env', { key: 'env', title: 'faxdeck.env', parts: [] }),
  ]
}

/** The settings of a page. */
export const rowsOn = ({ sections }: Pick<Page, 'sections'>): Rows =>
  sections.flatMap(({ parts }) => parts.flatMap(({ rows }) => rows))

/** The page with what `open` names: a page, a section or a setting; the first otherwise. */
export function pageWith(pages: readonly Page[], open: string | undefined): Page | undefined {
  const holds = (page: Page) => page.key === open || [...page.sections, ...rowsOn(page)].some(({ key }) => key === open)
  return pages.find(holds) ?? pages[0]
}
