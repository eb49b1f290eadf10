import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { watch } from '../../api/live/watch.ts'

/** Asked for again every 2 s while a call is up: its pages are no news of a fax. */
export const linesQuery = callQuery(['lines'], client.getLines, {
  meta: { live: ['jobs', 'inbound'] },
  staleTime: 0,
  refetchInterval: ({ state: { data } }) => (data && data.channels.length > 0 ? watch.job : watch.jobs),
})

export const reportQuery = callQuery(['lines', 'report'], client.getCallReport, { staleTime: watch.jobs })

export const numbersQuery = callQuery(['lines', 'numbers'], client.listCallNumbers, { staleTime: watch.jobs })

/** Ends the call of a fax: the fax is canceled, as from its details. */
export const hangUp = (job: string) => client.cancelJob({ params: { id: job } })
export const forgetNumber = (id: string) => client.forgetCallNumber({ params: { id } })
export const forgetNumbers = () => client.forgetCallNumbers({})
