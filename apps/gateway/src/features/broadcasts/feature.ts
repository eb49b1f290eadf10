import type { Routes } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { groupToSendFor } from '../../access/groups/group-of.ts'
import type { Call } from '../../base/http/handler.ts'
import { createBroadcast } from './create.ts'
import { exportBroadcast, listRecipients } from './export.ts'
import { listBroadcasts, readBroadcast, requireBroadcast } from './read.ts'
import { resendBroadcast } from './resend.ts'
import { cancelBroadcast, cancelHandler, cancelWork, pauseBroadcast, resumeBroadcast } from './steer.ts'

async function create(context: GatewayContext, call: Call<Routes['createBroadcast']>) {
  const { form, file, caller, idempotencyKey } = call
  const { recipients, skip_invalid: skip, allow_unlikely_number: allow, tones, unreadable, group_id, ...cover } = form
  const group = await groupToSendFor(context, caller, group_id)
  const numbers = { recipients, skipInvalid: skip === 'true', allowsUnlikely: allow === 'true' }
  const given = { ...numbers, tones, unreadable, cover, group, file }
  const submission = { ...given, callerKeyId: caller.keyId, idempotencyKey }
  const { id, replayed } = await createBroadcast(context, submission)
  if (replayed) call.replayed()
  return readBroadcast(context, id, caller)
}

/** Changes a broadcast that the caller may see, and answers it as it then stands. */
function steering(context: GatewayContext, change: typeof pauseBroadcast) {
  return async ({ params: { id }, caller }: Pick<Call<Routes['pauseBroadcast']>, 'params' | 'caller'>) => {
    await change(context, await requireBroadcast(context, id, caller), caller.keyId)
    return readBroadcast(context, id, caller)
  }
}

/** One document to many numbers. */
export const createBroadcasts = (context: GatewayContext) =>
  ({
    name: 'broadcasts',
    routes: {
      createBroadcast: (call) => create(context, call),
      listBroadcasts: ({ query, caller }) => listBroadcasts(context, query, caller),
      getBroadcast: ({ params, caller }) => readBroadcast(context, params.id, caller),
      listBroadcastRecipients: async ({ params, query, caller }) =>
        listRecipients(context, await requireBroadcast(context, params.id, caller), query),
      exportBroadcast: async ({ params: { id }, caller }) => {
        const row = await requireBroadcast(context, id, caller)
        await context.events.broadcastExported({ broadcast: id, key_id: caller.keyId })
        return { content: await exportBroadcast(context, row), fileName: `broadcast_${id}.csv` }
      },
      pauseBroadcast: steering(context, pauseBroadcast),
      resumeBroadcast: steering(context, resumeBroadcast),
      cancelBroadcast: steering(context, cancelBroadcast),
      resendBroadcast: async ({ params, body, caller, idempotencyKey, ...call }) => {
        const parent = await requireBroadcast(context, params.id, caller)
        const by = { callerKeyId: caller.keyId, idempotencyKey }
        const { id, replayed } = await resendBroadcast(context, parent, by, body)
        if (replayed) call.replayed()
        return readBroadcast(context, id, caller)
      },
    },
    work: { [cancelWork]: cancelHandler(context) },
  }) satisfies Feature
