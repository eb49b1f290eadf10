import type { SettingRow, SettingValue } from './row.ts'
import { type Values, maskValue } from './value.ts'

type Answer = Record<string, unknown>

function isGroup(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null
}

function put(answer: Answer, path: string, value: SettingValue): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let group = answer
  for (const name of names) {
    const inner = group[name]
    const next: Answer = isGroup(inner) ? inner : {}
    group[name] = next
    group = next
  }
  group[last] = value
}

/** The nested answer of GET /admin/settings: secrets masked, no password in a URL, unset text as an empty text. */
export function toAnswer(rows: readonly SettingRow[], values: Values): Record<string, unknown> {
  const answer: Answer = {}
  for (const row of rows) {
    if (row.environmentOnly) continue
    const value = values[row.key] ?? null
    const unset = row.type === 'number' ? null : ''
    if (row.at !== undefined) put(answer, row.at, value === null ? unset : maskValue(row, value))
    for (const [path, fact] of Object.entries(row.facts ?? {})) put(answer, path, fact(value))
  }
  return answer
}
