import type { SettingRow } from './row.ts'

/** Names under which a secret could stand in a log line: payload and environment names of every secret row. */
export function secretNames(rows: readonly SettingRow[]): string[] {
  return rows
    .filter((row) => row.type === 'secret')
    .flatMap((row) => [row.key, row.env, ...(row.keyAliases ?? []), ...(row.envAliases ?? [])])
}
