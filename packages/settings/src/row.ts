export type SettingValue = string | number | boolean | null

/** Where a form shows a setting. */
export const settingGroups = [
  'backend',
  'security',
  'sign_in',
  'single_sign_on',
  'limits',
  'features',
  'inbound',
  'retry',
  'provider',
  'storage',
  'database',
  'mcp',
  'tunnel',
  'server',
  'advanced',
] as const
export type SettingGroup = (typeof settingGroups)[number]

interface RowOf<T extends string, V> {
  type: T
  /** Name in the update payload, for example `phaxio_api_key`. */
  key: string
  /** Name in the environment, for example `PHAXIO_API_KEY`. */
  env: string
  /** Other accepted environment names. */
  envAliases?: readonly string[]
  /** Other accepted payload names. */
  keyAliases?: readonly string[]
  /** Path in the answer of GET /admin/settings; absent settings are not shown there. */
  at?: string
  group: SettingGroup
  /** The provider whose folder declares the row. */
  provider?: string
  /** The plugin whose configuration dialog also shows the row, and its name there. */
  plugin?: { id: string; field: string }
  label: string
  help: string
  /** In force when neither the environment nor a person says otherwise; null is "not set". */
  default: V | null
  /** A change needs a new process. */
  restart?: true
  /** Shown but not to be changed. */
  fixed?: true
  /** Forms show it disabled: it is changed by the environment, or by a caller that knows what it does. */
  lockedInForms?: true
  /** Of use only while another setting has this value; forms leave it out otherwise. */
  onlyWhen?: { key: string; is: string }
  /** Rarely changed: forms fold it away under "Advanced options". */
  advanced?: true
  /** Read from the environment only; never saved, exported or shown. */
  environmentOnly?: true
  placeholder?: string
  /** Further fields of the GET answer, by path, derived from the value in force: `{ 'documo.configured': (v) => v !== null }`. */
  facts?: Readonly<Record<string, (value: SettingValue) => boolean>>
  /** Needed before the database is open: kept in faxdeck.env of the data directory rather than in the database. */
  boot?: true
  /**
   * The person who chose the value may get in by it, or is trusted by it: it is taken back when the key that saved it is revoked.
   * Secrets and the accounts of providers are so without saying, see `opensAccess`.
   */
  opensAccess?: true
  /** A sentence when the value is not acceptable, beyond type and limits. */
  check?: (value: V) => string | undefined
}

export type TextRow = RowOf<'text', string>
export interface SecretRow extends RowOf<'secret', string> {
  /** A secret of our own making, which a form may offer to draw at random. */
  drawn?: true
}
export interface SwitchRow extends RowOf<'switch', boolean> {
  /** What on and off mean, where a form is to offer them as a choice. */
  words?: { on: string; off: string }
}
export interface NumberRow extends RowOf<'number', number> {
  min: number
  max: number
  /** Parts of one are accepted: 0.5. */
  fraction?: true
  /** What a form takes instead of what is no number. */
  fallback?: number
}
export interface ChoiceRow extends RowOf<'choice', string> {
  choices: readonly { value: string; label: string }[]
}

/** One setting. Parsing, forms, .env files, redaction and the reference are derived from it. */
export type SettingRow = TextRow | SecretRow | SwitchRow | NumberRow | ChoiceRow

/**
 * Whether a saved value may let in the one who saved it, or make this gateway trust them. A secret is known to the person who set
 * it, and a provider's account is where faxes go to and come from; it works only as a whole.
 */
export function opensAccess(row: SettingRow): boolean {
  return row.opensAccess === true || row.type === 'secret' || row.provider !== undefined
}

/** The type of a row's value, null when it may be unset. */
export type ValueOf<R extends SettingRow> = R extends { type: 'switch' }
  ? boolean
  : R extends { type: 'number' }
    ? R['default'] extends number
      ? number
      : number | null
    : TextOf<R> | (R['default'] extends string ? never : null)

/** A choice is one of its values, where the row says them literally. */
type TextOf<R extends SettingRow> = R extends { choices: readonly { value: infer V extends string }[] } ? V : string

/** The values of a list of rows, by payload key. */
export type ValuesOf<Rows extends readonly SettingRow[]> = { [R in Rows[number] as R['key']]: ValueOf<R> }

/** What the rows of a table have in common; a row may say otherwise. */
interface Shared extends Pick<SettingRow, 'group' | 'provider' | 'advanced'> {
  /** The part of the answer of GET /admin/settings that shows the rows, each under its key without the name of the part. */
  at?: string
}

/** A row as it is written in a table: its variable is its key in capitals, and it is not set, unless it says otherwise. */
type Written<R extends SettingRow = SettingRow> = R extends SettingRow
  ? Omit<R, 'env' | 'group' | 'default'> & Partial<Pick<R, 'env' | 'group' | 'default'>>
  : never

type Complete<R> = R &
  Pick<SettingRow, 'env' | 'group'> &
  (R extends { default: unknown } ? unknown : { default: null })

/** Declares a table of rows without widening their keys and types. */
export function settingRows<const Rows extends readonly Written[]>({ at: part, ...shared }: Shared, rows: Rows) {
  const prefix = `${part?.split('.').at(-1)}_`
  const complete = (row: Written) => {
    const name = row.key.startsWith(prefix) ? row.key.slice(prefix.length) : row.key
    const at = part === undefined || row.environmentOnly ? {} : { at: `${part}.${name}` }
    return { env: row.key.toUpperCase(), default: null, ...shared, ...at, ...row }
  }
  return rows.map(complete) as { -readonly [I in keyof Rows]: Complete<Rows[I]> }
}

/** The choices of a row, by value. Values that are whole numbers would lose their order: list those. */
export function choicesOf<const V extends string>(labels: Readonly<Record<V, string>>): { value: V; label: string }[] {
  return (Object.keys(labels) as V[]).map((value) => ({ value, label: labels[value] }))
}
