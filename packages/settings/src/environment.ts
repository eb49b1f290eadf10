import type { SettingRow, SettingValue } from './row.ts'
import { type Values, readValue } from './value.ts'

export type Environment = Readonly<Record<string, string | undefined>>

function problemSentence(row: SettingRow, name: string, raw: string, problem: string): string {
  const shown = row.type === 'secret' || raw.length > 60 ? `${name} cannot be used.` : `${name} is "${raw.trim()}".`
  return `${shown} ${problem}`
}

/**
 * Reads the rows' variables. An empty variable counts as not set; of several names of one row the first that is set counts.
 * @returns the values that are set, and one sentence per variable that cannot be used
 */
export function parseEnvironment(
  rows: readonly SettingRow[],
  env: Environment,
): { values: Values; problems: string[] } {
  const values: Record<string, SettingValue> = {}
  const problems: string[] = []
  for (const row of rows) {
    const name = [row.env, ...(row.envAliases ?? [])].find((candidate) => env[candidate]?.trim())
    if (name === undefined) continue
    const raw = env[name] ?? ''
    const read = readValue(row, raw)
    if ('problem' in read) problems.push(problemSentence(row, name, raw, read.problem))
    else values[row.key] = read.value
  }
  return { values, problems }
}
