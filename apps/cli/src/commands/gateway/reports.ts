import { routes } from '@faxdeck/contract'
import { command, flag, option } from '../../command.ts'
import { usageFault } from '../../fault.ts'
import { forceOption, saveAnswer } from '../../terminal/write-file.ts'

const sections = ['steps', 'destinations', 'numbers', 'causes', 'senders', 'groups', 'providers']

export const reports = command({
  name: 'reports',
  takes: '<from> <to> [<file>]',
  summary: 'Report volume, success, time to delivery and cost of a period as CSV',
  about:
    'Both days are included. Without a file, the table is written to standard output. Numbers are masked. Requires an administrator key. With --json, the whole report is printed.',
  options: {
    table: option('<name>', 'Which table (default steps).', { choices: sections }),
    step: option('<step>', 'Length of a step (default day).', { choices: ['day', 'week', 'month'] }),
    'time-zone': option('<name>', 'A time zone such as Europe/Berlin (default: the gateway’s).'),
    tests: flag('Count test faxes too, as if they had been sent.'),
    force: forceOption,
  },
  examples: [
    'faxdeck reports 2026-11-01 2026-11-30',
    'faxdeck reports 2026-01-01 2026-12-31 --step month --table providers',
  ],
  async run({ words: [from, to, path = '-'], options }, { client, out }) {
    const { table: section = 'steps', step, 'time-zone': time_zone } = options
    const query = routes.exportReport.query.safeParse({
      from,
      to,
      section,
      step,
      time_zone,
      tests: String(options.tests ?? false),
    })
    if (!query.success) throw usageFault('The days are not valid. Write them like 2026-11-21, between 1990 and 2199.')
    out.progress('Counting…')
    if (out.json) {
      const { section: _, ...period } = query.data
      out.answer(await client.getReport({ query: period }), () => undefined)
      return
    }
    await saveAnswer(await client.exportReport({ query: query.data }), { path, force: options.force, out })
  },
})
