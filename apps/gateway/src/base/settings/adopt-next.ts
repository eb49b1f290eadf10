import type { FieldProblem, Values } from '@faxdeck/settings'
import type { GatewayContext } from '../context.ts'
import { readWriters } from './store.ts'

/** What a change of the outbound provider makes of the one that was only marked: a later choice counts. */
export function withoutStaleMark(values: Values): Values {
  const chooses = 'outbound_backend' in values || 'backend' in values
  return chooses && !('next_outbound_backend' in values) ? { ...values, next_outbound_backend: null } : values
}

/** Why the provider that a change marks to send next cannot be marked: it lacks settings, with the change in force too. */
export function markProblems({ providers }: Pick<GatewayContext, 'providers'>, values: Values): FieldProblem[] {
  const provider = providers.providers.find(({ id }) => id === values.next_outbound_backend)
  const message = provider?.missing({ ...providers.settingsOf(provider), ...values })
  return message === undefined ? [] : [{ field: 'next_outbound_backend', message }]
}

/**
 * Lets the provider that was marked to be the next send from now on: at a start, and when a person reloads. One that
 * lost its settings since it was marked does not take over, and stays marked.
 * @returns why it does not take over
 */
export async function adoptNextOutbound(context: GatewayContext, keyId: string): Promise<FieldProblem[]> {
  const { database, settings, events } = context
  const { next_outbound_backend: next } = settings.current()
  if (next === null) return []
  const problems = markProblems(context, { next_outbound_backend: next })
  if (problems.length > 0) return problems
  const values = { outbound_backend: next, next_outbound_backend: null }
  const changed = Object.keys(values)
  // The choice remains that of the key that marked it, and goes with it.
  const marker = (await readWriters(database.db)).get('next_outbound_backend')
  await settings.save(values, keyId, (tx) => events.settingsChanged({ key_id: keyId, changed }, tx), marker)
  return []
}
