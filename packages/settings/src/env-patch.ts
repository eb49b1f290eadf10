import { validateEnvEntries } from './env-entries.ts'
import { parseEnvFile } from './env-file.ts'
import type { Patch } from './patch.ts'
import type { SettingRow } from './row.ts'

/** Checks the lines of an .env file as `validateEnvEntries` does. */
export const validateEnvFile = (rows: readonly SettingRow[], content: string): Patch =>
  validateEnvEntries(rows, parseEnvFile(content))
