import {
  applyLayers,
  type BootSources,
  crossChecks,
  type Layers,
  type SettingRow,
  type SettingValue,
  type Values,
} from '@faxdeck/settings'
import type { Database, Tx } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../http/problem.ts'
import type { EnvironmentLayer } from './environment.ts'
import type { Settings, SettingsChange, SettingsInForce } from './settings.ts'
import { changeSettingsFile } from './settings-file.ts'
import { type Seals, sealsOf } from './seal.ts'
import { readRevision, readSaved, writeSaved } from './store.ts'

interface LiveParts {
  rows: readonly SettingRow[]
  /** Asks which rows there are now: an installed plugin brings its own. The same list as long as nothing changes. */
  readRows?: () => Promise<readonly SettingRow[]>
  database: Database
  /** Reads the environment layer anew. */
  environment: (rows: readonly SettingRow[], useFile: boolean) => EnvironmentLayer
  masterKey: Buffer
  now: () => Date
  log: { warn: (facts: object, message: string) => void; error: (facts: object, message: string) => void }
}

type Listener = (change: SettingsChange) => void | Promise<void>

const pollMs = 2000

/** A layer with values changed, null taking one out. */
function changed(layer: Values, values: Values): Values {
  return Object.fromEntries(Object.entries({ ...layer, ...values }).filter(([, value]) => value !== null))
}

function textOf(value: SettingValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

// The rows that made the values are those the type was derived from.
const typed = (values: Values) => Object.freeze(values) as SettingsInForce

/** The settings in force, read from all layers and kept in step with the database. */
export class LiveSettings implements Settings {
  /** For secrets that other features keep. */
  readonly seals: Seals
  readonly #parts: LiveParts
  #rows: readonly SettingRow[]
  readonly #listeners = new Set<Listener>()
  #layers: Layers
  #current: SettingsInForce
  #environment: EnvironmentLayer
  #revision = ''
  #turn: Promise<unknown> = Promise.resolve()

  constructor(parts: LiveParts) {
    this.#rows = parts.rows
    this.#parts = parts
    this.seals = sealsOf(parts.masterKey)
    this.#environment = parts.environment(parts.rows, true)
    this.#layers = { environment: this.#environment.values, saved: {} }
    this.#current = typed(applyLayers(this.rows, this.#layers).values)
  }

  get rows(): readonly SettingRow[] {
    return this.#rows
  }

  current = (): SettingsInForce => this.#current
  layers = (): Layers => this.#layers
  /** Which payload keys the process's own environment sets, and which only faxdeck.env does. */
  bootSources = (): BootSources => ({
    byProcess: this.#environment.fixedByProcess,
    byFile: this.#environment.setByFile,
  })
  onChange = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Reads every layer again and tells the listeners what changed.
   * @throws {Problem} `invalid` when the environment does not fit, {SealBroken} when secrets do not open
   */
  reload(): Promise<void> {
    return this.#inTurn(async () => {
      const problems = await this.#read()
      if (problems.length > 0) throw new Problem('invalid', problems.join(' '))
    })
  }

  /** Reads what was saved or installed since the last reading, by whichever process. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#readWhenChanged())
  }

  /**
   * Saves values, null clearing one, all or none: those needed at boot in faxdeck.env, the others in the database,
   * in one transaction with whatever `also` writes.
   * @throws {Problem} `invalid` when the values do not go together, or the environment alone decides one
   */
  save(values: Values, keyId: string, also: (tx: Tx) => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      const { database, masterKey, now } = this.#parts
      const { atBoot, later } = this.#split(values)
      this.#assertFitting(atBoot, later)
      await transact(database, async (tx) => {
        await writeSaved(tx, this.rows, later, { key: masterKey, keyId, now: now() })
        await database.signals.tell(tx, 'settings')
        await also(tx)
        await this.#writeAtBoot(atBoot)
      })
      await this.#read()
    })
  }

  /** Applies what other processes save, at most two seconds later; returns how to stop. */
  follow(): () => void {
    const look = () => {
      this.refresh().catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'The saved settings could not be read.')
      })
    }
    const timer = setInterval(look, pollMs).unref()
    const stopListening = this.#parts.database.signals.on('settings', look)
    return () => {
      clearInterval(timer)
      stopListening()
    }
  }

  /** One reading or change at a time: none may be decided on what another is about to replace. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work)
    this.#turn = done.catch(() => undefined)
    return done
  }

  #split(values: Values): { atBoot: Values; later: Values } {
    const bootKeys = new Set(this.rows.filter((row) => row.boot).map((row) => row.key))
    const entries = Object.entries(values)
    return {
      atBoot: Object.fromEntries(entries.filter(([key]) => bootKeys.has(key))),
      later: Object.fromEntries(entries.filter(([key]) => !bootKeys.has(key))),
    }
  }

  #assertFitting(atBoot: Values, later: Values): void {
    const fixed = this.rows.filter(
      (row) => Object.hasOwn(atBoot, row.key) && this.#environment.fixedByProcess.has(row.key),
    )
    if (fixed.length > 0) {
      const fields = fixed.map(({ key, env }) => ({
        field: key,
        message: `The environment variable ${env} decides it.`,
      }))
      throw new Problem('invalid', fields.map(({ message }) => message).join(' '), { fields })
    }
    const { environment, saved } = this.#layers
    const next = { environment: changed(environment, atBoot), saved: changed(saved, later) }
    const problems = crossChecks(typed(applyLayers(this.rows, next).values))
    if (problems.length > 0) throw new Problem('invalid', problems.join(' '))
  }

  async #writeAtBoot(values: Values): Promise<void> {
    const rows = this.rows.filter((row) => Object.hasOwn(values, row.key))
    if (rows.length === 0) return
    const lines = rows.map((row) => [row.env, textOf(values[row.key])] as const)
    await changeSettingsFile(this.#current.fax_data_dir, Object.fromEntries(lines))
  }

  async #readWhenChanged(): Promise<void> {
    const rows = await this.#readRows()
    const isSame = rows === this.#rows && (await readRevision(this.#parts.database.db)) === this.#revision
    if (!isSame) await this.#read()
  }

  async #readRows(): Promise<readonly SettingRow[]> {
    return (await this.#parts.readRows?.()) ?? this.#rows
  }

  /** Answers what is wrong with the environment; then the environment as it was stays in force. */
  async #read(): Promise<string[]> {
    const { database, environment, log, masterKey } = this.#parts
    // First the rows: a saved choice of a plugin that is not known yet would count as none.
    this.#rows = await this.#readRows()
    const saved = await readSaved(database.db, this.rows, masterKey)
    if (saved.unfit.length > 0) log.warn({ keys: saved.unfit }, 'Saved settings that fit no setting are ignored.')
    const read = environment(this.rows, saved.values.enable_persisted_settings !== false)
    if (read.problems.length === 0) this.#environment = read
    else log.warn({ problems: read.problems }, 'The environment does not fit and stays as it was.')
    this.#revision = saved.revision
    await this.#apply({ environment: this.#environment.values, saved: saved.values })
    return read.problems
  }

  async #apply(layers: Layers): Promise<void> {
    const before: Values = this.#current
    const next = applyLayers(this.rows, layers).values
    const keys = Object.keys(next).filter((key) => next[key] !== before[key])
    this.#layers = layers
    if (keys.length === 0) return
    this.#current = typed(next)
    for (const listener of this.#listeners) {
      try {
        await listener({ keys })
      } catch (error) {
        this.#parts.log.error({ err: error, keys }, 'A change of settings could not be applied everywhere.')
      }
    }
  }
}
