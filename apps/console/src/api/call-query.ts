import type { CallOptions } from '@faxdeck/contract/client'
import { type QueryKey, queryOptions, type UndefinedInitialDataOptions } from '@tanstack/react-query'

type Options<Reply> = Omit<UndefinedInitialDataOptions<Reply>, 'queryKey' | 'queryFn'>

/**
 * A query that is one call without input.
 *
 *     export const retentionQuery = callQuery(['retention'], client.getRetention)
 */
export const callQuery = <Reply>(
  queryKey: QueryKey,
  call: (input: object, options: CallOptions) => Promise<Reply>,
  options?: Options<Reply>,
) => queryOptions<Reply>({ ...options, queryKey, queryFn: ({ signal }) => call({}, { signal }) })
