import type { ComponentProps } from 'react'
import { type ActionOptions, useAction } from '../api/use-action.ts'
import { Confirm } from '../ui/overlay/dialog.tsx'

type Question = Omit<ComponentProps<typeof Confirm>, 'action' | 'onConfirm'>

interface Props<Input, Reply> extends Question, Omit<ActionOptions<Input, Reply>, 'onGivenUp'> {
  perform: (input: Input) => Promise<Reply>
  input: Input
}

/**
 * Asks before a call that changes something, and makes it once it is confirmed. Closes after a success, and stays open
 * with the reason after a failure.
 *
 *     <ConfirmAction title="Remove this price?" verb="Remove price" danger perform={removePrice} input={price.id} … />
 */
export function ConfirmAction<Input, Reply>(props: Props<Input, Reply>) {
  const { perform, input, refreshes, toast, onDone, ...question } = props
  const close = (reply: Reply, given: Input) => {
    question.onClose()
    onDone?.(reply, given)
  }
  const action = useAction(perform, { refreshes, toast, onDone: close })
  return <Confirm {...question} action={action} onConfirm={() => action.run(input)} />
}
