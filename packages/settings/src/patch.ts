import type { SettingRow, SettingValue } from './row.ts'
import { type Values, isMasked, readValue } from './value.ts'

export interface FieldProblem {
  field: string
  message: string
}

/** `values`: what is to be saved, null where the saved value is to be cleared. Nothing is to be done when there are problems. */
export interface Patch {
  values: Values
  problems: FieldProblem[]
}

function refusal(row: SettingRow | undefined): string | undefined {
  if (!row) return 'There is no such setting.'
  return row.environmentOnly ? `It can only be set by the environment variable ${row.env}.` : undefined
}

/**
 * Checks a change against the rows, all or nothing. Null and empty text clear a value; a masked value is ignored;
 * an unknown name, a value that does not fit, and two names of one row with different values are problems.
 */
export function validatePatch(rows: readonly SettingRow[], body: Readonly<Record<string, unknown>>): Patch {
  const byName = new Map(
    // Other names of a variable count, so that a whole .env file can be given at once.
    rows.flatMap((row) =>
      [row.key, ...(row.keyAliases ?? []), ...(row.envAliases ?? [])].map((name) => [name, row] as const),
    ),
  )
  const values: Record<string, SettingValue> = {}
  const problems: FieldProblem[] = []
  for (const [field, raw] of Object.entries(body)) {
    const row = byName.get(field)
    const refused = refusal(row)
    if (!row || refused !== undefined) {
      problems.push({ field, message: refused ?? '' })
      continue
    }
    if (isMasked(row, raw)) continue
    const read = raw === null || raw === '' ? { value: null } : readValue(row, raw)
    if ('problem' in read) problems.push({ field, message: read.problem })
    else if (Object.hasOwn(values, row.key) && values[row.key] !== read.value) {
      problems.push({ field, message: `This is the same setting as ${row.key}, which has another value here.` })
    } else values[row.key] = read.value
  }
  return { values, problems }
}
