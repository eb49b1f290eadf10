import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { watch } from './live/watch.ts'

const maxPolls = 11
/** States after which nothing more happens. */
const finalStatuses = ['SUCCESS', 'FAILED']

/** The state of a fax just sent: asked for every 2 s until it is final, about 11 times; the jobs screen goes on. */
export const sentFaxQuery = (id: string) =>
  queryOptions({
    queryKey: ['sent-fax', id],
    queryFn: ({ signal }) => client.getJob({ params: { id } }, { signal }),
    meta: { live: ['jobs'], job: id },
    refetchInterval: ({ state }) => {
      const polls = state.dataUpdateCount + state.errorUpdateCount
      return polls >= maxPolls || (state.data && finalStatuses.includes(state.data.status)) ? false : watch.job
    },
  })
