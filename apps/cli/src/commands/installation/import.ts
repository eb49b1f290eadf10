import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { command, type Desk, flag, option } from '../../command.ts'
import { exitCodes } from '../../exit-codes.ts'
import { withUpkeep } from './upkeep.ts'

type Plan = Awaited<ReturnType<Parameters<Parameters<typeof withUpkeep>[0]>[0]['planImport']>>

/** What a plan says without numbers, documents and secrets. */
function summaryOf({ database, jobs, inbound, keys, groups, settings, notes, left }: Plan, target: string) {
  return {
    database,
    target,
    sent: jobs.length,
    received: inbound.length,
    documents: [...jobs, ...inbound].filter(({ document }) => document).length,
    keys: keys.map(({ key_id: id, name, scopes }) => ({ id, name, scopes: scopes.split(',') })),
    groups: groups.map(({ name }) => name),
    settings: { file: settings.file, taken: Object.keys(settings.values), left: settings.left },
    notes: [...notes, ...settings.problems.map((problem) => `Before the first start: ${problem}`)],
    left_behind: left,
  }
}

function show({ out, dataDirectory }: Desk, plan: ReturnType<typeof summaryOf>): void {
  out.note(`From ${plan.database} into ${plan.target}, with the data directory ${dataDirectory}:`)
  out.note(`  Sent faxes: ${plan.sent}. Received faxes: ${plan.received}. Documents: ${plan.documents}.`)
  const ids = plan.keys.map(({ id }) => id).join(', ')
  out.note(ids === '' ? '  No API keys' : `  API keys, whose tokens keep working: ${ids}`)
  if (plan.groups.length > 0) out.note(`  Mailboxes, as groups without people: ${plan.groups.join(', ')}`)
  if (plan.settings.file === null) out.note('  No settings: there is no .env file.')
  else out.note(`  Settings: ${plan.settings.taken.join(', ')}`)
  for (const { name, advice } of plan.settings.left)
    out.note(`  Left out: ${advice.startsWith(name) ? '' : `${name}. `}${advice}`)
  for (const note of plan.notes) out.note(`  ${note}`)
  for (const sentence of plan.left_behind) out.note(`  Left behind: ${sentence}`)
}

const tableNames = {
  fax_jobs: 'Sent faxes',
  inbound_faxes: 'Received faxes',
  api_keys: 'API keys',
  mailboxes: 'Mailboxes',
  inbound_rules: 'Rules',
} as const

/** The rows of both sides, table by table. */
function compare({ out }: Desk, before: Plan['rows'], here: Plan['rows']): void {
  for (const [table, name] of Object.entries(tableNames) as [keyof typeof tableNames, string][])
    out.note(`  ${name}: ${before[table]} in the old database, ${here[table]} of them here.`)
}

async function agrees(): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question('Import this? [y/N] ')).trim())
  } finally {
    lines.close()
  }
}

export const importing = command({
  name: 'import',
  takes: '<folder>',
  summary: 'Import faxes, documents, keys and settings of an earlier fax gateway',
  about:
    'Shows what it will do, and asks before doing it. It imports into the database of DATABASE_URL, or into the file in the data directory. The files in the folder are only read. Stop both gateways first. You can repeat it: whatever was already imported is skipped. Nothing is sent. Ends with 3 if rows or documents were left behind.',
  options: {
    yes: flag('Do not ask for confirmation.', { short: 'y' }),
    database: option('<file>', 'The database file, if the folder has several.'),
    without: option('<tables>', 'Tables the old gateway never had, separated by commas.'),
  },
  examples: ['faxdeck import ../old-gateway', 'faxdeck import ../old-gateway --yes --data /var/lib/faxdeck'],
  async run({ words: [given = ''], options }, desk) {
    const { out, dataDirectory: directory, env } = desk
    return withUpkeep(async ({ planImport, importInstallation, importTarget }) => {
      const { database } = options
      const without = options.without?.split(',').map((table) => table.trim())
      const plan = await planImport(resolve(given), { database, without, now: new Date() })
      const summary = summaryOf(plan, importTarget(directory, env))
      show(desk, summary)
      const may = options.yes === true || (process.stdin.isTTY && (await agrees()))
      if (!may) {
        out.answer({ plan: summary, imported: null }, () => undefined)
        out.note('Nothing was changed. Add --yes to import.')
        return exitCodes.done
      }
      const onProgress = (documents: number, of: number) => out.progress(`${documents} of ${of} documents…`)
      const imported = await importInstallation({ plan, directory, env, now: () => new Date(), onProgress })
      out.answer({ plan: summary, imported }, () => {
        const { jobs, inbound, keys, groups, documents, settings } = imported
        out.line(
          `Imported. Sent faxes: ${jobs}. Received faxes: ${inbound}. Documents: ${documents}. API keys: ${keys}. Groups: ${groups}. Settings: ${settings.length}.`,
        )
        compare(desk, plan.rows, imported.here)
        for (const sentence of imported.left) out.note(`  Left behind: ${sentence}`)
      })
      return plan.left.length + imported.left.length > 0 ? exitCodes.leftBehind : exitCodes.done
    })
  },
})
