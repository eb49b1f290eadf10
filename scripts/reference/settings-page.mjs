import { allRows } from '../../apps/gateway/src/base/settings/rows.ts'
import { providers } from '../../packages/providers/src/registry.ts'
import { settingGroups } from '../../packages/settings/src/index.ts'
import { cell } from './markdown.mjs'

const groupTitles = {
  backend: 'Provider',
  security: 'Security',
  sign_in: 'Sign-in',
  single_sign_on: 'Single sign-on',
  limits: 'Limits',
  features: 'Features',
  inbound: 'Receiving',
  retry: 'Retrying',
  provider: 'Accounts of providers',
  storage: 'Storage',
  database: 'Database',
  mcp: 'MCP',
  server: 'Server',
  advanced: 'Advanced',
}

/** @returns {string} the reference of all settings, in Markdown */
export function settingsPage() {
  const rows = allRows(providers)
  const sections = settingGroups.map((group) =>
    section(
      group,
      rows.filter((row) => row.group === group),
    ),
  )
  return `# Settings

Written by \`npm run reference\` from the setting rows in \`packages/settings\` and in the providers' folders. Do not edit.

A value is taken from the first place that has one: what a person saved in the console, the environment, the file \`faxdeck.env\` in the data directory, the default here.
In the environment a switch is \`true\` or \`false\`. \`null\` in an update returns a setting to the environment or the default.

${sections.filter(Boolean).join('\n\n')}
`
}

function section(group, rows) {
  if (rows.length === 0) return ''
  if (group !== 'provider') return `## ${groupTitles[group]}\n\n${table(rows)}`
  const accounts = providers.map(({ id, name }) => {
    const own = rows.filter((row) => row.provider === id)
    return own.length > 0 ? `### ${name}\n\n${table(own)}` : ''
  })
  return [`## ${groupTitles[group]}`, ...accounts.filter(Boolean)].join('\n\n')
}

function table(rows) {
  return `| Environment | In an update | Value | Default | Meaning |\n|---|---|---|---|---|\n${rows.map(line).join('\n')}`
}

function line(row) {
  const cells = [
    names(row.env, row.envAliases),
    row.environmentOnly || row.fixed ? '' : names(row.key, row.keyAliases),
    valueOf(row),
    defaultOf(row),
    [`**${cell(row.label)}.**`, cell(row.help), ...remarksOf(row)].join(' '),
  ]
  return `| ${cells.join(' | ')} |`
}

const names = (name, aliases = []) => [name, ...aliases].map((each) => `\`${each}\``).join(', also ')

function valueOf(row) {
  if (row.fixed) return 'fixed'
  if (row.type === 'number') return `${row.min} to ${row.max}`
  if (row.type === 'choice') return row.choices.map(({ value }) => `\`${value}\``).join(', ')
  return row.type
}

function defaultOf({ default: value }) {
  if (value === null || value === '') return ''
  return `\`${cell(String(value))}\``
}

function remarksOf(row) {
  return [
    ...(row.restart ? ['A change needs a restart.'] : []),
    ...(row.boot ? ['Saved in `faxdeck.env`, so an environment variable takes precedence.'] : []),
    ...(row.environmentOnly ? ['Read from the environment only.'] : []),
    ...(row.fixed ? ['Shown but cannot be changed.'] : []),
  ]
}
