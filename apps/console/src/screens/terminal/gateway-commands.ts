import type { LogEntry } from '@faxdeck/contract'
import { type Command, columns, table, UsageProblem } from './command.ts'
import { faxCommands } from './fax-commands.ts'
import { askHealth, askStatus, askVersion, listEvents, listKeys, ownKeyId } from './queries.ts'

const maxEntries = 100

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

function entryLine({ ts, event, ...facts }: LogEntry): string[] {
  const reported = Object.entries(facts).map(([name, value]) => `${name}=${textOf(value)}`)
  return [ts, event, reported.join(' ')]
}

/** What the gateway says of itself. */
const ownCommands: Command[] = [
  {
    name: 'whoami',
    about: 'show whose key this console uses',
    run: async ({ print, signal }) => {
      const id = ownKeyId()
      const own = (await listKeys(signal)).find((key) => key.key_id === id)
      if (!own) {
        print('the bootstrap key of this installation')
        return
      }
      print(`${own.name ?? 'an unnamed key'}, ${own.key_id}, owner ${own.owner ?? 'unknown'}`)
    },
  },
  {
    name: 'version',
    about: 'show the gateway version',
    run: async ({ print, signal }) => print(`Faxdeck ${(await askVersion(signal)).version}`),
  },
  {
    name: 'status',
    about: 'show the state of the provider and the queue',
    run: async ({ print, signal }) => {
      const status = await askStatus(signal)
      const { queued, in_progress, recent_failures } = status.jobs
      const rows = [
        ['provider', `${status.backend}, ${status.backend_healthy ? 'healthy' : 'unhealthy'}`],
        ...(status.problem ? [['problem', status.problem]] : []),
        ['queued', String(queued)],
        ['in progress', String(in_progress)],
        ['failed recently', String(recent_failures)],
        ['receiving', status.inbound_enabled ? 'on' : 'off'],
        ['keys required', status.require_auth ? 'yes' : 'no'],
      ]
      for (const line of columns(rows)) print(line)
    },
  },
  {
    name: 'health',
    about: 'check that the gateway answers',
    run: async ({ print, signal }) => print((await askHealth(signal)).status),
  },
  {
    name: 'keys',
    about: 'list the API keys',
    run: async ({ print, signal, width }) => {
      const keys = await listKeys(signal)
      if (keys.length === 0) {
        print('No API keys yet.')
        return
      }
      const rows = keys.map((key) => [key.key_id, key.name ?? '-', key.owner ?? '-', key.scopes.join(',')])
      for (const line of table(['KEY', 'NAME', 'OWNER', 'SCOPES'], rows, width)) print(line)
    },
  },
  {
    name: 'logs',
    usage: '[COUNT]',
    about: 'show the newest audit entries, 10 by default',
    run: async ({ args, print, signal }) => {
      const count = Number(args[0] ?? 10)
      if (!Number.isInteger(count) || count < 1) throw new UsageProblem()
      const { items } = await listEvents(Math.min(count, maxEntries), signal)
      if (items.length === 0) {
        print('No entries yet.')
        return
      }
      for (const line of columns(items.toReversed().map(entryLine))) print(line)
    },
  },
]

/** Commands that ask the gateway, with the rights of the person's own key. */
export const gatewayCommands: Command[] = [...ownCommands, ...faxCommands]
