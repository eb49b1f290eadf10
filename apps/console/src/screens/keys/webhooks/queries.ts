import type { DeliveryState, DetailedDelivery, InputOf, Routes, Webhook, WebhookDelivery } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { callQuery } from '../../../api/call-query.ts'
import { client } from '../../../api/client.ts'
import { watch } from '../../../api/live/watch.ts'

export type NewWebhook = InputOf<Routes['createWebhook']>['body']
/** A webhook together with its secret, which is answered once. */
export type WebhookWithSecret = Webhook & { secret: string }

const pageSize = 50

/** A message that somebody may be waiting for, such as a test. */
const isFirstTry = ({ state, tries }: WebhookDelivery) => state === 'pending' && tries === 0

/** What every change of a webhook makes stale. */
export const refreshes = [['webhooks']]

export const webhooksQuery = callQuery(['webhooks', 'list'], client.listWebhooks, {
  meta: { live: ['webhooks'] },
  refetchInterval: watch.webhooks,
})

/** What was sent to a webhook, newest first; of one state, or of all. */
export const deliveriesQuery = (id: string, state: DeliveryState | '') =>
  infiniteQueryOptions<WebhookDelivery[], CallProblem, InfiniteData<WebhookDelivery[]>, QueryKey, string>({
    queryKey: ['webhooks', 'deliveries', id, state],
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, ...(state && { state }), ...(pageParam && { cursor: pageParam }) }
      return client.listWebhookDeliveries({ params: { id }, query }, { signal })
    },
    initialPageParam: '',
    getNextPageParam: (page) => (page.length < pageSize ? undefined : page.at(-1)?.cursor),
    meta: { live: ['webhooks'], apartMs: 500 },
    refetchInterval: ({ state: { data } }) => (data?.pages.flat().some(isFirstTry) ? watch.job : watch.webhooks),
  })

/** One message with each of its tries. */
export const deliveryQuery = ({ id, tries, state }: WebhookDelivery) =>
  queryOptions({
    // Another try makes another answer, as soon as the list knows of it.
    queryKey: ['webhooks', 'delivery', id, tries, state],
    queryFn: ({ signal }): Promise<DetailedDelivery> => client.getWebhookDelivery({ params: { id } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const createWebhook = (body: NewWebhook) => client.createWebhook({ body })
export const changeWebhook = ({ id, ...body }: { id: string } & InputOf<Routes['updateWebhook']>['body']) =>
  client.updateWebhook({ params: { id }, body })
export const removeWebhook = (id: string) => client.removeWebhook({ params: { id } })

/** Makes a new secret; the one before counts for so many hours more. */
export const rotateSecret = ({ id, keepHours }: { id: string; keepHours: number }) =>
  client.rotateWebhookSecret({ params: { id }, body: { keep_hours: keepHours } })
export const sendTest = (id: string) => client.testWebhook({ params: { id } })

/** What was put on its way again, and what was on its way already. */
export interface Replayed {
  queued: number
  skipped: number
}

/**
 * Sends everything since a time again, 1,000 messages a call until that was all. What a failure leaves undone is
 * replayed by the next try, which sends nothing twice.
 */
export async function replaySince(wish: { id: string; since: string; messages: 'all' | 'failed' }): Promise<Replayed> {
  const { id, messages } = wish
  const total = { queued: 0, skipped: 0 }
  for (let since: string | null = wish.since; since !== null;) {
    const part: Awaited<ReturnType<typeof client.replayWebhook>> = await client.replayWebhook({
      params: { id },
      body: { since, messages },
    })
    total.queued += part.queued
    total.skipped += part.skipped
    since = part.next_since
  }
  return total
}

/** Sends a message again, under the id that it has. */
export const replay = (id: string) => client.replayWebhookDelivery({ params: { id } })
