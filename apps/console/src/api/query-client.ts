import type { CallProblem } from '@faxdeck/contract/client'
import { QueryClient } from '@tanstack/react-query'

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallProblem
  }
}

/**
 * The cache of answers. A failure is shown at once instead of being retried in silence: most lists ask again
 * by themselves, and the rest have a Retry button.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // The gateway is usually this very machine: it answers without any network.
      queries: { retry: false, networkMode: 'always', staleTime: 1_000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
