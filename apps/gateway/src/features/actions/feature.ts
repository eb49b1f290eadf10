import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { allowedActions } from './allowed.ts'
import { oneAtATime } from '../../base/db/one-at-a-time.ts'
import { runInTime } from './run.ts'

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
