import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { configQuery as config, healthQuery as health } from '../../api/overview.ts'
import { watch } from '../../api/watch.ts'

const often = { refetchInterval: watch.dashboard }

export const configQuery = { ...config, ...often }
export const healthQuery = { ...health, ...often }
export const activityQuery = queryOptions({
  queryKey: ['activity'],
  queryFn: ({ signal }) => client.getActivity({}, { signal }),
  meta: { live: ['jobs', 'inbound'] },
  ...often,
})
