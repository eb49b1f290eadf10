import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { watch } from './live/watch.ts'

/** Which way a fax went. */
export type Direction = 'sent' | 'received'

/** What the pages of a fax say. Forgotten when it is closed, so that showing it again is recorded again. */
export const faxTextQuery = (direction: Direction, id: string) =>
  queryOptions({
    queryKey: ['fax-text', direction, id],
    queryFn: ({ signal }) => {
      const read = direction === 'sent' ? client.getJobText : client.getInboundText
      return read({ params: { id } }, { signal })
    },
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => data?.state === 'waiting' && watch.inbox,
  })
