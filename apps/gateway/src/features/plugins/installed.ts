import type { Provider } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { type Manifest, readManifest } from './manifest/manifest.ts'
import { providerOf, unusableProvider } from './manifest/provider.ts'
import { readManifestRevision, readManifests, type StoredManifest } from './store.ts'
import type { SettingRow } from '@faxdeck/settings'
import { allRows } from '../../base/settings/rows.ts'

interface InstalledParts {
  database: Database
  /** The providers that are part of the product. */
  builtin: readonly Provider[]
  /** Whether manifests may speak to this machine: for tests only. */
  allowLoopback: boolean
  log: { warn: (facts: object, message: string) => void }
}

/** A manifest and the provider it became. */
interface InstalledPlugin {
  text: string
  /** Undefined when it can be used no longer. */
  manifest: Manifest | undefined
  provider: Provider
}

/** The context of this feature. */
export type PluginContext = GatewayContext & { plugins: InstalledPlugins }

type Renew = (ids: readonly string[]) => void

/** The manifests of this installation as providers, kept in step with those that other processes install. */
export class InstalledPlugins {
  readonly #parts: InstalledParts
  readonly #listeners = new Set<Renew>()
  #revision = -1
  #plugins: ReadonlyMap<string, InstalledPlugin> = new Map()
  #providers: readonly Provider[]

  constructor(parts: InstalledParts) {
    this.#parts = parts
    this.#providers = parts.builtin
  }

  /** Those of the product and those installed. The same list as long as nothing changes. */
  providers = (): readonly Provider[] => this.#providers
  find = (id: string): InstalledPlugin | undefined => this.#plugins.get(id)
  isBuiltin = (id: string): boolean => this.#parts.builtin.some((provider) => provider.id === id)

  /** @throws {Problem} as `readManifest` */
  read = (raw: unknown): Manifest => readManifest(raw, { allowLoopback: this.#parts.allowLoopback })

  /** Calls `listener` with the ids of the plugins that were installed, replaced or removed. */
  onChange(listener: Renew): void {
    this.#listeners.add(listener)
  }

  /** Reads what is installed, when that changed since the last reading. */
  async refresh(): Promise<void> {
    const { db } = this.#parts.database
    const revision = await readManifestRevision(db)
    if (revision === this.#revision) return
    const stored = await readManifests(db)
    const before = this.#plugins
    const now = new Map(stored.flatMap((each) => this.#pluginOf(each)))
    const ids = new Set([...before.keys(), ...now.keys()])
    const changed = [...ids].filter((id) => before.get(id) !== now.get(id))
    this.#revision = revision
    this.#plugins = now
    this.#providers = [...this.#parts.builtin, ...[...now.values()].map(({ provider }) => provider)]
    if (changed.length > 0) for (const listener of this.#listeners) listener(changed)
  }

  #pluginOf({ id, text }: StoredManifest): [string, InstalledPlugin][] {
    const present = this.#plugins.get(id)
    if (present?.text === text) return [[id, present]]
    if (this.isBuiltin(id)) {
      this.#parts.log.warn({ plugin: id }, 'An installed manifest has the id of a built-in provider and is ignored.')
      return []
    }
    try {
      const manifest = this.read(JSON.parse(text))
      return [[id, { text, manifest, provider: providerOf(manifest) }]]
    } catch (error) {
      if (!(error instanceof Problem) && !(error instanceof SyntaxError)) throw error
      this.#parts.log.warn({ plugin: id, reason: error.message }, 'An installed manifest cannot be used any more.')
      return [[id, { text, manifest: undefined, provider: unusableProvider(id, error.message) }]]
    }
  }
}

interface PluginParts {
  database: Database
  builtin: readonly Provider[]
  allowLoopback: boolean
  log: { warn: (facts: object, message: string) => void }
}

/** The installed plugins, and every setting of this installation with theirs, asked for again each time. */
export async function openPlugins(
  parts: PluginParts,
): Promise<{ plugins: InstalledPlugins; readRows: () => Promise<readonly SettingRow[]> }> {
  const plugins = new InstalledPlugins(parts)
  await plugins.refresh()
  let known = plugins.providers()
  let rows = allRows(known)
  const readRows = async () => {
    await plugins.refresh()
    if (plugins.providers() !== known) {
      known = plugins.providers()
      rows = allRows(known)
    }
    return rows
  }
  return { plugins, readRows }
}
