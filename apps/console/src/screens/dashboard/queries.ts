import type { ActivityRange } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { configQuery as config, healthQuery as health } from '../../api/overview.ts'
import { watch } from '../../api/watch.ts'

const often = { refetchInterval: watch.dashboard }

export const configQuery = { ...config, ...often }
export const healthQuery = { ...health, ...often }
export const activityQuery = (range: ActivityRange) =>
  queryOptions({
    queryKey: ['activity', range],
    queryFn: ({ signal }) => client.getActivity({ query: { range } }, { signal }),
    meta: { live: ['jobs', 'inbound'] },
    placeholderData: keepPreviousData,
    ...often,
  })
