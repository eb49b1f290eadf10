import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { oneAtATime } from '../../base/db/one-at-a-time.ts'
import { maxOutput, runInTime, type Action } from './run.ts'
import { resolve } from 'node:path'
import { runProgram } from './program.ts'
import { reportQueue, reportVersions, verifyTrail, testConversion } from './reports.ts'

/** Everything that may be run. All of it only looks: nothing here changes a fax or a setting. */
function allowedActions(context: GatewayContext, version: string): Action[] {
  const { database, documents, events, directory } = context
  const place = resolve(directory)
  const program = (...argv: [string, ...string[]]): Action['run'] => {
    return (signal) => runProgram(argv, signal, maxOutput)
  }
  return [
    {
      id: 'version_report',
      label: 'Versions',
      about: 'Faxdeck, Node.js, the database and the system.',
      run: () => reportVersions(version, database),
    },
    {
      id: 'disk_space',
      label: 'Disk space',
      about: 'Free space on the disk of the data directory.',
      run: program('df', '-h', '-P', place),
    },
    {
      id: 'list_faxdata',
      label: 'Data directory',
      about: 'Contents of the data directory, with sizes and permissions.',
      run: program('ls', '-la', place),
    },
    {
      id: 'queue_report',
      label: 'Queue',
      about: 'How much work is waiting and since when, and jobs by status.',
      run: () => reportQueue(context),
    },
    {
      id: 'verify_audit_chain',
      label: 'Audit chain',
      about: 'Recomputes the hash of every audit entry.',
      run: (signal) => verifyTrail(events, signal),
    },
    {
      id: 'conversion_self_test',
      label: 'Conversion self-test',
      about: 'Converts a sample text to fax pages and a PDF, and reads it back.',
      run: (signal) => testConversion(documents, signal),
    },
  ]
}

/** Looking at this machine by fixed commands, one at a time, while the settings allow it. */
export function createActions(context: GatewayContext, version: string) {
  const { settings, events, log, database } = context
  const actions = allowedActions(context, version)
  const alone = oneAtATime(database, 'action')
  const isEnabled = () => settings.current().enable_admin_exec
  const routes = {
    listActions: () => ({
      enabled: isEnabled(),
      items: actions.map(({ id, label, about }) => ({ id, label, about })),
    }),

    runAction: async ({ body, caller }) => {
      if (!isEnabled()) throw new Problem('actions_disabled')
      const action = actions.find(({ id }) => id === body.id)
      if (!action) throw new Problem('action_not_found')
      const facts = { key_id: caller.keyId, action: action.id }
      const output = await alone(async () => {
        await events.actionStarted(facts)
        const seen = await runInTime(action, log)
        await events.actionEnded({ ...facts, code: seen.code })
        return seen
      })
      if (!output) throw new Problem('conflict', 'Another action is running. Wait for it to finish, then try again.')
      return { ok: output.code === 0, id: action.id, ...output }
    },
  } satisfies Partial<Handlers>
  return { name: 'actions', routes } satisfies Feature
}
