import { useMutation, useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useRef } from 'react'

interface Settled<Input, Reply> {
  /** After a success, before the lists are asked for again. */
  onDone?: (reply: Reply, input: Input) => void
  /** Keys of the queries that the action makes stale; `busy` lasts until they are fresh. */
  refreshes?: QueryKey[]
}

/**
 * A call that changes something. It cannot run twice at once, however fast a person presses; its failure stays in
 * `error` for an `ErrorNotice`, and what it answered in `reply`, until the next run or `reset`.
 *
 *     const revoke = useAction((id: string) => client.revokeApiKey({ params: { id }, query: {} }), { refreshes: [['api-keys']] })
 *     <Button busy={revoke.busy} onClick={() => revoke.run(key.key_id)}>Revoke</Button>
 */
export function useAction<Input, Reply>(
  perform: (input: Input) => Promise<Reply>,
  { onDone, refreshes = [] }: Settled<Input, Reply> = {},
) {
  const queries = useQueryClient()
  const running = useRef(false)
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: perform,
    onSuccess: async (reply, input) => {
      onDone?.(reply, input)
      await Promise.all(refreshes.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onSettled: () => {
      running.current = false
    },
  })
  const run = (input: Input) => {
    if (running.current) return
    running.current = true
    mutate(input)
  }
  return { run, busy: isPending, error, reply: data, reset }
}
