import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useToast } from '../ui/overlay/toast.tsx'
import { isGivenUp } from './confirmation.ts'

export interface ActionOptions<Input, Reply> {
  /** After a success, before the lists are asked for again. */
  onDone?: ((reply: Reply, input: Input) => void) | undefined
  /** The gateway asked who its person is, and they did not want to say. */
  onGivenUp?: (() => void) | undefined
  /** Keys of the queries that the action makes stale; `busy` lasts until they are fresh. */
  refreshes?: QueryKey[] | undefined
  /** What a toast says after a success. */
  toast?: string | ((reply: Reply, input: Input) => string) | undefined
}

/**
 * A call that changes something. Without the confirmation that the gateway may ask for, it was not made. It cannot run
 * twice at once, however fast a person presses; its failure stays in `error` for an `ErrorNotice`, and its answer in
 * `reply`, until the next run or `reset`.
 *
 *     const revoke = useAction((id: string) => client.revokeApiKey({ params: { id }, query: {} }), { refreshes: [['api-keys']] })
 *     <Button busy={revoke.busy} onClick={() => revoke.run(key.key_id)}>Revoke</Button>
 */
export function useAction<Input, Reply>(
  perform: (input: Input) => Promise<Reply>,
  { onDone, onGivenUp, refreshes = [], toast }: ActionOptions<Input, Reply> = {},
) {
  const queries = useQueryClient()
  const say = useToast()
  const running = useRef(false)
  const { mutate, isPending, error, data, reset } = useMutation({
    mutationFn: perform,
    onSuccess: async (reply, input) => {
      onDone?.(reply, input)
      if (toast !== undefined) say(typeof toast === 'string' ? toast : toast(reply, input))
      await Promise.all(refreshes.map((queryKey) => queries.invalidateQueries({ queryKey })))
    },
    onError: (problem) => {
      if (isGivenUp(problem)) onGivenUp?.()
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
  return { run, busy: isPending, error: isGivenUp(error) ? null : error, reply: data, reset }
}
