import { type FieldProblem, type Patch, validatePatch } from './patch.ts'
import type { SettingRow } from './row.ts'

/**
 * Checks variables of an .env file by the rules of `validatePatch`: the same names, the same limits, all or nothing.
 * Problems name the variables. An empty variable says nothing about its setting.
 */
export function validateEnvEntries(rows: readonly SettingRow[], entries: Readonly<Record<string, string>>): Patch {
  const byName = new Map(
    rows.flatMap((row) => [row.env, ...(row.envAliases ?? [])].map((name) => [name, row] as const)),
  )
  const problems: FieldProblem[] = []
  const values: Record<string, Patch['values'][string]> = {}
  for (const [name, text] of Object.entries(entries)) {
    const row = byName.get(name)
    if (text.trim() === '' && row && !row.environmentOnly) continue
    const read = validatePatch(rows, { [row?.key ?? name]: text })
    problems.push(...read.problems.map(({ message }) => ({ field: name, message })))
    for (const [key, value] of Object.entries(read.values)) {
      if (!Object.hasOwn(values, key) || values[key] === value) values[key] = value
      else
        problems.push({
          field: name,
          message: `This is the same setting as ${row?.env}, which has another value here.`,
        })
    }
  }
  return { values, problems }
}
