import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Host, IncomingFax, Line, Provider, ProviderSettings, StatusUpdate } from '@faxdeck/provider-kit'
import { hasCode } from '../error-code.ts'
import { Problem } from '../http/answers/problem.ts'
import type { Settings, SettingsChange } from '../settings/settings.ts'
import type { ProviderAccess } from './access.ts'
import { type ClockReading, Clocks } from './clocks.ts'
import { guardedFetch } from '../outgoing/guarded-fetch.ts'
import { onlyNamedInside } from '../outgoing/named-inside.ts'

interface AccessParts {
  /** Those that are installed at the moment. */
  providers: () => readonly Provider[]
  settings: Settings
  /** A short text for one that must not be kept, the same for the same one. */
  fingerprint: (text: string) => string
  now: () => Date
  /** Milliseconds that only grow. */
  steady?: (() => number) | undefined
  report: (providerId: string, update: StatusUpdate) => Promise<void>
  receive: (providerId: string, fax: IncomingFax) => Promise<boolean>
  log: {
    info: (facts: object, message: string) => void
    warn: (facts: object, message: string) => void
    error: (facts: object, message: string) => void
  }
}

/** Settings beyond its own rows that a line depends on: what it gets through its host, and whether it may be open. */
const hostKeys = ['public_api_url', 'feature_v3_plugins']

/** Without the data directory nothing is made in its place: writing there fails. */
function makeOwn(directory: string): void {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST', 'ENOENT')) throw error
  }
}

/** Opens lines to providers, and opens them again when a setting they were opened with changes. */
export class Lines implements ProviderAccess {
  readonly #parts: AccessParts
  readonly #open = new Map<string, Line>()
  /** What is asked for at every step of a fax, by provider. */
  readonly #accounts = new Map<string, { text: string; account: string }>()
  readonly #closing = new Set<Promise<void>>()
  readonly #outside = guardedFetch()
  // Diagnostics have little time, and want to know whether the connection itself failed.
  readonly #probing = guardedFetch({ connectMs: 2500 })
  readonly #clocks: Clocks
  #stopFollowing: (() => void) | undefined

  constructor(parts: AccessParts) {
    this.#parts = parts
    this.#clocks = new Clocks(parts)
  }

  get providers(): readonly Provider[] {
    return this.#parts.providers()
  }

  find = (id: string): Provider | undefined => this.providers.find((provider) => provider.id === id)

  outbound = (): Provider => {
    const { fax_disabled, outbound_backend, backend } = this.#parts.settings.current()
    const builtin = this.providers.find((provider) => provider.kind === 'builtin')
    return fax_disabled && builtin ? builtin : this.#known(outbound_backend ?? backend)
  }

  bypassed = (): Provider | undefined => {
    if (this.outbound().kind !== 'builtin') return undefined
    const { outbound_backend, backend } = this.#parts.settings.current()
    const ready = this.providers.filter((each) => each.kind !== 'builtin' && this.problemOf(each) === undefined)
    return ready.find(({ id }) => id === (outbound_backend ?? backend)) ?? ready[0]
  }

  inbound = (): Provider => {
    const { inbound_backend, backend } = this.#parts.settings.current()
    return this.#known(inbound_backend ?? backend)
  }

  line = (id: string): Line => {
    const present = this.#open.get(id)
    if (present) return present
    const provider = this.#known(id)
    const problem = this.problemOf(provider)
    if (problem !== undefined || !provider.open) throw new Problem('provider_not_configured', problem)
    const line = provider.open(this.hostOf(provider), this.settingsOf(provider))
    this.#open.set(id, line)
    return line
  }

  opened = (id: string): Line | undefined => this.#open.get(id)

  account = (id: string): string | null => {
    const provider = this.find(id)
    const named = provider?.account?.(this.settingsOf(provider))
    if (named === undefined) return null
    const text = JSON.stringify([id, named])
    const known = this.#accounts.get(id)
    if (known?.text === text) return known.account
    const account = this.#parts.fingerprint(text)
    this.#accounts.set(id, { text, account })
    return account
  }

  isTestAccount = (id: string): boolean => {
    const provider = this.find(id)
    return provider?.isTestAccount?.(this.settingsOf(provider)) ?? false
  }

  clock = (id: string): ClockReading | undefined => this.#clocks.read(id)

  concurrency = (id: string): number => {
    const provider = this.#known(id)
    const channels = provider.channels?.(this.settingsOf(provider))
    const chosen = this.#parts.settings.current().lane_concurrency ?? channels ?? provider.concurrency
    return Math.min(chosen, channels ?? chosen)
  }

  standIn = (id: string): Provider | undefined => {
    const chosen = this.#parts.settings.current().failover_backend
    const provider = chosen === null ? undefined : this.find(chosen)
    const outbound = this.outbound()
    if (!provider || provider.id === id || outbound.id !== id || outbound.kind === 'builtin') return undefined
    return this.problemOf(provider) === undefined ? provider : undefined
  }

  problemOf(provider: Provider): string | undefined {
    if (provider.kind === 'plugin' && !this.#parts.settings.current().feature_v3_plugins) {
      return `Plugins are switched off, so ${provider.name} cannot send. Turn them on under Settings, Feature Flags.`
    }
    const missing = provider.missing(this.settingsOf(provider))
    if (missing !== undefined || provider.open) return missing
    return `${provider.name} cannot send in this version. Choose another provider under Settings.`
  }

  settingsOf(provider: Provider): ProviderSettings {
    const values = this.#parts.settings.current()
    return Object.fromEntries(provider.settings.map(({ key }) => [key, values[key] ?? null]))
  }

  hostOf(provider: Provider, values: ProviderSettings = this.settingsOf(provider)): Host {
    const host = this.#hostWith(this.#outside.fetch, provider, values)
    makeOwn(host.directory)
    return host
  }

  probingHostOf(provider: Provider, values: ProviderSettings = this.settingsOf(provider)): Host {
    return this.#hostWith(this.#probing.fetch, provider, values)
  }

  #hostWith(fetch: typeof globalThis.fetch, provider: Provider, values: ProviderSettings): Host {
    const { settings, now, report, receive, log } = this.#parts
    const { fax_data_dir, public_api_url } = settings.current()
    const directory = join(fax_data_dir, 'lines', provider.id)
    const watched = this.#clocks.watch(provider.id, fetch)
    const named = [public_api_url, ...Object.values(values)]
    return {
      // A plugin names its addresses in its manifest.
      fetch: provider.kind === 'plugin' ? watched : onlyNamedInside(watched, named),
      directory,
      publicUrl: public_api_url.replace(/\/+$/, ''),
      now,
      report: (update) => report(provider.id, update),
      receive: (fax) => receive(provider.id, fax),
      log: {
        info: (message, facts) => log.info({ provider: provider.id, ...facts }, message),
        warn: (message, facts) => log.warn({ provider: provider.id, ...facts }, message),
      },
    }
  }

  /** Opens the lines in use, that of the backup provider among them, so that their events arrive, and follows the settings from now on. */
  start(): void {
    this.#stopFollowing = this.#parts.settings.onChange((change) => this.#follow(change))
    this.#openUsed()
  }

  /** Closes lines whose provider was replaced or removed; they are opened again when asked for. */
  renew(ids: readonly string[]): void {
    for (const id of ids) this.#shut(id)
  }

  /** Closes every line. */
  async close(): Promise<void> {
    this.#stopFollowing?.()
    for (const id of [...this.#open.keys()]) this.#shut(id)
    await Promise.all(this.#closing)
    await Promise.all([this.#outside.close(), this.#probing.close()])
  }

  #known(id: string): Provider {
    const provider = this.find(id)
    if (!provider)
      throw new Problem('provider_not_configured', `There is no provider "${id}". Choose one under Settings.`)
    return provider
  }

  #openUsed(): void {
    const outbound = this.outbound()
    for (const provider of new Set([outbound, this.inbound(), this.standIn(outbound.id)])) {
      if (!provider || this.problemOf(provider) !== undefined) continue
      try {
        this.line(provider.id)
      } catch (error) {
        this.#parts.log.error({ err: error, provider: provider.id }, 'The line could not be opened.')
      }
    }
  }

  #follow({ keys }: SettingsChange): void {
    for (const provider of this.providers) {
      const concerned = [...provider.settings.map((row) => row.key), ...hostKeys]
      if (concerned.some((key) => keys.includes(key))) this.#shut(provider.id)
    }
    this.#openUsed()
  }

  #shut(id: string): void {
    const line = this.#open.get(id)
    if (!line) return
    this.#open.delete(id)
    const closed = Promise.resolve(line.close?.()).catch((error: unknown) => {
      this.#parts.log.warn({ err: error, provider: id }, 'The line did not close cleanly.')
    })
    this.#closing.add(closed)
    void closed.then(() => this.#closing.delete(closed))
  }
}
