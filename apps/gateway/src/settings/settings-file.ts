import { constants } from 'node:fs'
import { lstat, open, readFile, realpath, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { envLine, maskValue, parseEnvFile, type SettingRow } from '@faxdeck/settings'
import { Problem } from '../http/problem.ts'
import { settingsFileName } from './environment.ts'

const outside =
  'Settings are saved only as an .env file inside the data directory. Leave the path out to use faxdeck.env.'

/**
 * The file a person may write settings to: an .env file in the data directory, no link, and not through one.
 * @throws {Problem} path_refused
 */
export async function allowedFile(directory: string, asked?: string): Promise<string> {
  const path = resolve(directory, asked ?? settingsFileName)
  const root = await realpath(directory)
  const folder = await realpath(dirname(path)).catch(() => undefined)
  if (folder === undefined || (folder !== root && !folder.startsWith(root + sep)))
    throw new Problem('path_refused', outside)
  const file = join(folder, basename(path))
  if (!basename(file).endsWith('.env')) throw new Problem('path_refused', outside)
  const present = await lstat(file).catch(() => undefined)
  if (present && !present.isFile())
    throw new Problem('path_refused', 'The path is a link or no plain file. Nothing was written.')
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

async function presentEntries(path: string): Promise<Record<string, string>> {
  const content = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw error
  })
  return parseEnvFile(content)
}

/** Whether an export without secrets leaves the entry out: it must not be lost for that. */
function isUnseen(rows: readonly SettingRow[], name: string, value: string): boolean {
  const row = rows.find((candidate) => candidate.env === name || candidate.envAliases?.includes(name))
  return !row || row.environmentOnly === true || maskValue(row, value) !== value
}

/** Writes a settings file. Entries that its content cannot show (secrets, names of other programs) stay unless it names them. */
export async function writeSettingsFile(rows: readonly SettingRow[], path: string, content: string): Promise<void> {
  const named = parseEnvFile(content)
  const kept = Object.entries(await presentEntries(path))
    .filter(([name, value]) => !Object.hasOwn(named, name) && isUnseen(rows, name, value))
    .map(([name, value]) => envLine(name, value))
  const rest = kept.length > 0 ? `\n# Kept from the file as it was\n${kept.join('\n')}\n` : ''
  await replaceFile(path, `${content.trimEnd()}\n${rest}`)
}

/** Changes single variables of faxdeck.env; null removes one. Remarks and order of the file are lost only for those. */
export async function changeSettingsFile(
  directory: string,
  changes: Readonly<Record<string, string | null>>,
): Promise<void> {
  const path = await allowedFile(directory)
  const content = await readFile(path, 'utf8').catch(() => '')
  const names = Object.keys(changes)
  const others = content
    .split('\n')
    .filter((line) => !names.some((name) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)))
  const lines = Object.entries(changes).flatMap(([name, value]) => (value === null ? [] : [envLine(name, value)]))
  await replaceFile(path, `${[...others.join('\n').trimEnd().split('\n'), ...lines].join('\n').trim()}\n`)
}
