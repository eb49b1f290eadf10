import { parse } from 'dotenv'
import type { SettingRow } from './row.ts'
import { type Values, maskValue } from './value.ts'

/** The variables of an .env file. */
export function parseEnvFile(content: string): Record<string, string> {
  return parse(content)
}

/**
 * A value as .env files hold it. dotenv knows no escapes, so the kind of quote is chosen by what the value does not contain.
 * @returns undefined when no kind fits
 */
export function quoteEnvValue(value: string): string | undefined {
  const bare = value === '' || /^[^\s#'"`]([^#\r\n]*[^\s#])?$/.test(value)
  if (bare) return value
  // A backslash before the closing quote would swallow it; inside double quotes \n would become a line break.
  if (value.endsWith('\\')) return undefined
  const quote = ["'", '`', ...(value.includes('\\') ? [] : ['"'])].find((candidate) => !value.includes(candidate))
  return quote === undefined ? undefined : quote + value + quote
}

/** `NAME=value` lines of variables that belong to no row. A value that an .env file cannot hold becomes a remark. */
export function envLine(name: string, value: string): string {
  const quoted = quoteEnvValue(value)
  return quoted === undefined
    ? `# ${name} mixes quotes in a way that this file cannot hold. Set it in the environment or in the console.`
    : `${name}=${quoted}`
}

function rowLine(row: SettingRow, values: Values, secrets: boolean): string | undefined {
  const value = values[row.key] ?? null
  if (row.environmentOnly || value === null) return undefined
  if (!secrets && maskValue(row, value) !== value) return `# ${row.env} is set. Export with secrets to see it.`
  const line = envLine(row.env, String(value))
  return value === row.default && !line.startsWith('#') ? `# ${line}` : line
}

/**
 * The values as an .env file, one group after the other: defaults as remarks, unset ones left out.
 * Secrets and URLs with a password are only named unless `secrets` is on.
 */
export function exportEnv(rows: readonly SettingRow[], values: Values, options: { secrets: boolean }): string {
  const groups = new Map<string, string[]>()
  for (const row of rows) {
    const line = rowLine(row, values, options.secrets)
    if (line === undefined) continue
    const group = groups.get(row.group) ?? []
    groups.set(row.group, group)
    group.push(line)
  }
  return [...groups].map(([group, lines]) => `# ${group}\n${lines.join('\n')}\n`).join('\n')
}
