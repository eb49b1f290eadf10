import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { watch } from './live/watch.ts'

/** Which way a fax went. */
export type Direction = 'sent' | 'received'

/** What the pages of a fax say. Forgotten when it is closed, so that showing it again is recorded again. */
export const faxTextQuery = (direction: Direction, id: string) =>
  queryOptions({
    queryKey: ['fax-text', direction, id],
    queryFn: ({ signal }) =>
      direction === 'sent'
        ? client.getJobText({ params: { id } }, { signal })
        : client.getInboundText({ params: { id } }, { signal }),
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => data?.state === 'waiting' && watch.inbox,
  })
