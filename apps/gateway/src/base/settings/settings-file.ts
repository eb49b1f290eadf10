import { constants } from 'node:fs'
import { lstat, open, readFile, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import {
  envLine,
  exportEnv,
  maskValue,
  parseEnvFile,
  quoteEnvValue,
  type SettingRow,
  type Values,
} from '@faxdeck/settings'
import { ifMissing } from '../error-code.ts'
import { Problem } from '../http/answers/problem.ts'
import { requireDataDirectory } from './data-directory.ts'
import { settingsFileName } from './environment.ts'

const elsewhere = 'Settings are saved only in faxdeck.env in the data directory. Leave the path out.'

/**
 * The one file that settings are written to: faxdeck.env in the data directory, which must not be a link.
 * @throws {Problem} path_refused
 */
export async function settingsFile(directory: string, asked?: string): Promise<string> {
  const file = join(await realpath(directory), settingsFileName)
  const named = resolve(directory, asked ?? settingsFileName)
  if (named !== resolve(directory, settingsFileName) && named !== file) throw new Problem('path_refused', elsewhere)
  const present = await lstat(file).catch(() => undefined)
  if (present && !present.isFile())
    throw new Problem('path_refused', 'faxdeck.env is a link or not a plain file. Nothing was written.')
  return file
}

/** Replaces a file whole or not at all, synced, readable by its owner only. */
async function replaceFile(path: string, content: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.${Date.now()}`
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
  const file = await open(unfinished, flags, 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
    await file.close()
    await rename(unfinished, path)
  } catch (error) {
    await file.close()
    await rm(unfinished, { force: true })
    throw error
  }
}

const readContent = (path: string): Promise<string> => readFile(path, 'utf8').catch(ifMissing(''))

/** The variables of the file as it is. */
export const presentEntries = async (path: string) => parseEnvFile(await readContent(path))

/** Whether an export without secrets leaves the entry out: it must not be lost for that. */
function isUnseen(rows: readonly SettingRow[], name: string, value: string): boolean {
  const row = rows.find((candidate) => candidate.env === name || candidate.envAliases?.includes(name))
  return !row || row.environmentOnly === true || maskValue(row, value) !== value
}

type Entries = Readonly<Record<string, string>>

const linesOf = (entries: Entries) => Object.entries(entries).map(([name, value]) => envLine(name, value))

const sameEntries = (a: Entries, b: Entries) => {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

/**
 * The content of faxdeck.env: these values, and the entries of the present file that an export cannot show (secrets, what only
 * an operator sets, names of other programs) unless a value replaces them.
 */
async function contentOf(rows: readonly SettingRow[], path: string, values: Values): Promise<string> {
  const content = exportEnv(rows, values, { secrets: true }).trimEnd()
  const named = parseEnvFile(content)
  const present = await presentEntries(path)
  const kept = Object.fromEntries(
    Object.entries(present).filter(([name, value]) => !Object.hasOwn(named, name) && isUnseen(rows, name, value)),
  )
  const lines = linesOf(kept)
  const rest = lines.length > 0 ? `\n\n# Kept from the file as it was\n${lines.join('\n')}` : ''
  return `${content}${rest}\n`
}

interface LineChange {
  name: string
  before: string | null
  after: string | null
}

const hidden = '********'

/** A value as it may be shown; null for none. A variable that is not a setting may be a secret. */
function shownValue(rows: readonly SettingRow[], name: string, value: string | undefined): string | null {
  if (value === undefined) return null
  const row = rows.find((candidate) => candidate.env === name || candidate.envAliases?.includes(name))
  return row && maskValue(row, value) === value ? value : hidden
}

/** What writing these values would change in faxdeck.env, secrets masked. */
export async function changesToFile(rows: readonly SettingRow[], path: string, values: Values): Promise<LineChange[]> {
  const before = await presentEntries(path)
  const after = parseEnvFile(await contentOf(rows, path, values))
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({
      name,
      before: shownValue(rows, name, before[name]),
      after: shownValue(rows, name, after[name]),
    }))
}

/** Called with the variables as they are and as they will be, before the file is written. */
export type WhoWrites = (before: Entries, after: Entries) => Promise<void>

/** Writes faxdeck.env with these values. */
export async function writeSettingsFile(
  rows: readonly SettingRow[],
  path: string,
  values: Values,
  keep: WhoWrites = async () => undefined,
): Promise<void> {
  const content = await contentOf(rows, path, values)
  await keep(await presentEntries(path), parseEnvFile(content))
  await replaceFile(path, content)
}

/**
 * Changes single variables of faxdeck.env; null removes one. Remarks and order stay, unless lines depend on each other
 * in a way that only the parser understands, as values of several lines do.
 * @returns what they were before
 * @throws {Problem} `invalid` for a value that an .env file cannot hold
 */
export async function changeSettingsFile(
  directory: string,
  changes: Readonly<Record<string, string | null>>,
  keep: WhoWrites = async () => undefined,
): Promise<Record<string, string | null>> {
  const unfit = Object.entries(changes).filter(([, value]) => value !== null && quoteEnvValue(value) === undefined)
  if (unfit.length > 0)
    throw new Problem(
      'invalid',
      `${unfit.map(([name]) => name).join(', ')}: faxdeck.env cannot hold a value that mixes quotes. Set it in the environment.`,
    )
  await requireDataDirectory(directory)
  const path = await settingsFile(directory)
  const content = await readContent(path)
  const names = Object.keys(changes)
  const before = parseEnvFile(content)
  const others = content
    .split('\n')
    .filter((line) => !names.some((name) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)))
  const set = Object.fromEntries(
    Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )
  const edited = [...others.join('\n').trimEnd().split('\n'), ...linesOf(set)].join('\n').trim()
  const untouched = Object.entries(before).filter(([name]) => !names.includes(name))
  const wanted = { ...Object.fromEntries(untouched), ...set }
  const isRight = sameEntries(parseEnvFile(edited), wanted)
  await keep(before, wanted)
  await replaceFile(path, `${isRight ? edited : linesOf(wanted).join('\n')}\n`)
  return Object.fromEntries(names.map((name) => [name, before[name] ?? null]))
}
