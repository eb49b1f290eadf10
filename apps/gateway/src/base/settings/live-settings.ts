import {
  applyLayers,
  type BootSources,
  crossChecks,
  type Layers,
  type SettingRow,
  type SettingValue,
  type Values,
} from '@faxdeck/settings'
import type { Database, Tx, Reader } from '../db/database.ts'
import { DatabaseAway } from '../db/outage.ts'
import { transact } from '../db/transact.ts'
import { Problem } from '../http/answers/problem.ts'
import type { EnvironmentLayer } from './environment.ts'
import type { Settings, SettingsChange, SettingsInForce } from './settings.ts'
import { FileLines } from './file-lines.ts'
import { changeSettingsFile, writeSettingsFile } from './settings-file.ts'
import { type Seals, sealsOf } from './seal.ts'
import { readRevision, readSaved, readWriters, savedByEnded, writeSaved } from './store.ts'

export interface LiveParts {
  rows: readonly SettingRow[]
  /** Asks which rows there are now: an installed plugin brings its own. The same list as long as nothing changes. */
  readRows?: () => Promise<readonly SettingRow[]>
  database: Database
  /** Reads the environment layer again. */
  environment: (rows: readonly SettingRow[], useFile: boolean) => EnvironmentLayer
  /** Holds a key or person until a transaction ends. @throws {Problem} `unauthorized` for one that has ended */
  assertStillGood: (tx: Tx, keyId: string, now: Date) => Promise<void>
  masterKey: Buffer
  /** Of fingerprints, where the master key was changed. */
  fingerprintKey?: Buffer | undefined
  now: () => Date
  log: { warn: (facts: object, message: string) => void; error: (facts: object, message: string) => void }
}

type Listener = (change: SettingsChange) => void | Promise<void>

const pollMs = 2000

function changed(layer: Values, values: Values): Values {
  return Object.fromEntries(Object.entries({ ...layer, ...values }).filter(([, value]) => value !== null))
}

function textOf(value: SettingValue | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

/** @throws {Problem} `invalid`, naming each row as the caller did: by its variable or its payload key */
function refuseFixed(rows: readonly SettingRow[], by: 'env' | 'key'): void {
  if (rows.length === 0) return
  const fields = rows.map((row) => ({ field: row[by], message: `It is set by the environment variable ${row.env}.` }))
  throw new Problem('invalid', fields.map(({ message }) => message).join(' '), { fields })
}

// The rows that made the values are those the type was derived from.
const typed = (values: Values) => Object.freeze(values) as SettingsInForce

/** The settings in force, read from all layers and kept in step with the database. */
export class LiveSettings implements Settings {
  /** For secrets that other features keep. */
  readonly seals: Seals
  readonly #parts: LiveParts
  readonly #lines: FileLines
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
    this.seals = sealsOf(parts.masterKey, parts.fingerprintKey)
    this.#lines = new FileLines(parts)
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
  /** Variables in faxdeck.env that no key may set. */
  operatorLines = (): readonly string[] => this.#environment.operatorLines
  onChange = (listener: Listener): (() => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Reads every layer again and notifies the listeners of what changed.
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
   * @param writer whose values they are, when it is not the key that asks
   * @throws {Problem} `invalid` when the values do not go together, or the environment alone decides one
   */
  save(values: Values, keyId: string, also: (tx: Tx) => Promise<void>, writer = keyId): Promise<void> {
    return this.#inTurn(async () => {
      const { database, assertStillGood, masterKey, now } = this.#parts
      const { atBoot, later } = this.#split(values)
      this.#assertFitting(atBoot, later)
      // The file is no part of the transaction, which may run more than once: it is written before, and put back.
      const putBack = await this.#writeAtBoot(atBoot, keyId)
      try {
        await transact(database, async (tx) => {
          await assertStillGood(tx, keyId, now())
          await writeSaved(tx, this.rows, later, { key: masterKey, keyId: writer, now: now() })
          await database.signals.notify(tx, 'settings')
          await also(tx)
        })
      } catch (error) {
        await putBack()
        throw error
      }
      await this.#read()
    })
  }

  /**
   * Writes faxdeck.env with these values, of which each remembers the key that saved it.
   * @throws {Problem} `unauthorized` when the key that asks has ended meanwhile
   */
  persist(path: string, values: Values, keyId: string): Promise<void> {
    return this.#inTurn(async () => {
      const writers = await readWriters(this.#parts.database.db)
      const { saved } = this.#layers
      const keyOf = (row: SettingRow) => (saved[row.key] === values[row.key] && writers.get(row.key)) || keyId
      await writeSettingsFile(this.rows, path, values, this.#lines.keeper(this.rows, keyId, keyOf))
    })
  }

  /** What these keys saved and what goes with them, in the database and in faxdeck.env, as payload keys. */
  async savedBy(db: Reader, ended: readonly string[]): Promise<string[]> {
    const saved = await savedByEnded(db, this.rows, ended)
    const lines = await this.#lines.ofEnded(db, this.rows, this.#current.fax_data_dir, ended)
    return [...new Set([...saved, ...lines.map(({ row }) => row.key)])]
  }

  /** Reads every layer again, without the lines of keys that are revoked. @throws when these cannot be taken out */
  reread(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#lines.takeBack(this.rows, this.#current.fax_data_dir)
      await this.#read()
    })
  }

  /**
   * Refuses values for faxdeck.env that the process decides otherwise, or with which the next start would be refused.
   * @throws {Problem} `invalid`
   */
  assertKeepable(values: Values): void {
    const { fixedByProcess, setByFile } = this.#environment
    const { environment, saved } = this.#layers
    const differs = Object.keys(values).filter((key) => fixedByProcess.has(key) && environment[key] !== values[key])
    refuseFixed(
      this.rows.filter((row) => row.boot && differs.includes(row.key)),
      'env',
    )
    const ofProcess = Object.entries(environment).filter(([key]) => !setByFile.has(key))
    const next = { environment: { ...values, ...Object.fromEntries(ofProcess) }, saved }
    this.#assertTogether(next)
  }

  /** Applies what other processes save, at most two seconds later; returns how to stop. */
  follow(): () => void {
    const look = () => {
      this.refresh().catch((error: unknown) => {
        if (error instanceof DatabaseAway) return
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
    const { fixedByProcess } = this.#environment
    refuseFixed(
      this.rows.filter((row) => Object.hasOwn(atBoot, row.key) && fixedByProcess.has(row.key)),
      'key',
    )
    const { environment, saved } = this.#layers
    this.#assertTogether({ environment: changed(environment, atBoot), saved: changed(saved, later) })
  }

  #assertTogether(layers: Layers): void {
    const problems = crossChecks(typed(applyLayers(this.rows, layers).values))
    if (problems.length > 0) throw new Problem('invalid', problems.join(' '))
  }

  /** @returns how to put the file back */
  async #writeAtBoot(values: Values, keyId: string): Promise<() => Promise<void>> {
    const rows = this.rows.filter((row) => Object.hasOwn(values, row.key))
    if (rows.length === 0) return async () => undefined
    const directory = this.#current.fax_data_dir
    const lines = rows.map((row) => [row.env, textOf(values[row.key])] as const)
    const before = await changeSettingsFile(directory, Object.fromEntries(lines), this.#lines.keeper(this.rows, keyId))
    return async () => {
      await changeSettingsFile(directory, before)
    }
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
    await this.#lines.takeBack(this.#rows, this.#current.fax_data_dir).catch((error: unknown) => {
      log.error({ err: error }, 'Lines of a revoked key could not be removed from faxdeck.env. Faxdeck will try again.')
    })
    const saved = await readSaved(database.db, this.rows, masterKey)
    if (saved.unfit.length > 0) log.warn({ keys: saved.unfit }, 'Saved values that match no setting are ignored.')
    const read = environment(this.rows, saved.values.enable_persisted_settings !== false)
    if (read.problems.length === 0) this.#environment = read
    else log.warn({ problems: read.problems }, 'The environment is not valid. The previous one stays in effect.')
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
