import type { Webhook, WebhookDelivery } from '@faxdeck/contract'
import { IconAlert, IconBan, IconCheck, IconHourglass, IconProgress, IconX } from '../../../ui/control/icons.ts'
import { Chip } from '../../../ui/control/status-chip.tsx'

/** Whether a webhook is active; what a receiver ended is not what a person paused. */
export function WebhookChip({ enabled, disabled_reason: reason }: Pick<Webhook, 'enabled' | 'disabled_reason'>) {
  if (enabled) {
    return (
      <Chip tone="ok" icon={IconCheck}>
        Active
      </Chip>
    )
  }
  return (
    <Chip tone={reason ? 'bad' : 'plain'} icon={reason ? IconAlert : IconBan}>
      {reason ? 'Stopped' : 'Paused'}
    </Chip>
  )
}

const looks = {
  delivered: { tone: 'ok', icon: IconCheck, word: 'Delivered' },
  failed: { tone: 'bad', icon: IconX, word: 'Failed' },
  retried: { tone: 'warn', icon: IconHourglass, word: 'Retrying' },
  sent: { tone: 'info', icon: IconProgress, word: 'In progress' },
} as const

/** How a message fares. */
export function DeliveryChip({ state, tries }: Pick<WebhookDelivery, 'state' | 'tries'>) {
  const { tone, icon, word } = looks[state === 'pending' ? (tries > 0 ? 'retried' : 'sent') : state]
  return (
    <Chip tone={tone} icon={icon}>
      {word}
    </Chip>
  )
}
