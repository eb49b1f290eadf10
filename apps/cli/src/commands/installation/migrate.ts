import { text } from 'node:stream/consumers'
import { command } from '../../command.ts'
import { withUpkeep } from './upkeep.ts'

export const migrate = command({
  name: 'migrate',
  takes: '<address>',
  summary: 'Move the database from SQLite to PostgreSQL',
  about:
    'Stop the gateway first. The new database must be empty; it is filled in one transaction that commits only when every table has arrived with the same rows. The file is not changed. - reads the address from standard input, so that nobody sees its password.',
  examples: ['faxdeck migrate - < address.txt'],
  async run({ words: [given = ''] }, { out, dataDirectory: directory, env }) {
    const to = given === '-' ? (await text(process.stdin)).trim() : given
    const onProgress = (table: string) => out.progress(`${table}…`)
    const moved = await withUpkeep(({ moveToPostgres }) => moveToPostgres({ directory, env, to, onProgress }))
    out.answer(moved, () =>
      out.table(
        ['Table', 'Rows', 'Checksum'],
        moved.map((each) => [each.table, String(each.rows), each.sha256.slice(0, 16)]),
      ),
    )
    out.note('Set DATABASE_URL to the new address, then start the gateway.')
  },
})
