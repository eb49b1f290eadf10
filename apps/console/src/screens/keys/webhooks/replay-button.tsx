import type { WebhookDelivery } from '@faxdeck/contract'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { refreshes, replay } from './queries.ts'

interface Props {
  delivery: WebhookDelivery
  /** Whether its webhook is on. */
  canReplay: boolean
  tone: 'primary' | 'quiet'
  onDone?: () => void
  /** Hears of a failure, and undefined when the next try begins. */
  onFailure: (failure: Error | undefined) => void
}

/** Sends a message again that is over, where it can be sent; its receiver knows it by its id. */
export function ReplayButton({ delivery, canReplay, tone, onDone, onFailure }: Props) {
  const say = useToast()
  const again = useAction(
    (id: string) => {
      onFailure(undefined)
      return replay(id).catch((failure: unknown) => {
        onFailure(failure as Error)
        throw failure
      })
    },
    {
      refreshes,
      onDone: () => {
        say('Replaying')
        onDone?.()
      },
    },
  )
  if (delivery.state === 'pending' || !canReplay) return null
  const name = `Replay ${delivery.event} ${delivery.id.slice(4, 12)}`
  return (
    <Button
      tone={tone}
      busy={again.busy}
      aria-label={tone === 'quiet' ? name : undefined}
      onClick={() => again.run(delivery.id)}
    >
      Replay
    </Button>
  )
}
