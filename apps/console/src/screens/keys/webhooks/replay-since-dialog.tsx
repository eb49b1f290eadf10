import type { Webhook } from '@faxdeck/contract'
import { useState } from 'react'
import { gatewayNow } from '../../../api/live/gateway-clock.ts'
import { useAction } from '../../../api/use-action.ts'
import { SelectField } from '../../../ui/form/select-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { localMinute } from '../../../ui/time-range.ts'
import { refreshes, replaySince } from './queries.ts'
import { replayedWords, webhookName } from './webhook-words.ts'

interface Props {
  webhook: Webhook
  onClose: () => void
}

const day = 24 * 60 * 60_000
const kinds = [
  { value: 'failed', label: 'Undelivered only' },
  { value: 'all', label: 'All, including delivered' },
] as const

/** Sends everything since a time again; asks for the time, and whether what was delivered goes out too. */
export function ReplaySinceDialog({ webhook, onClose }: Props) {
  const say = useToast()
  const [since, setSince] = useState(() => {
    const failing = webhook.failing_since && Date.parse(webhook.failing_since)
    return localMinute(new Date(failing || gatewayNow() - day))
  })
  const [messages, setMessages] = useState<(typeof kinds)[number]['value']>('failed')
  const replay = useAction(replaySince, {
    refreshes,
    onDone: (replayed) => {
      onClose()
      say(replayedWords(replayed))
    },
  })
  const at = Date.parse(since)
  const wrong = Number.isNaN(at)
    ? 'Enter a date and a time.'
    : at > gatewayNow()
      ? 'Enter a time in the past.'
      : undefined
  return (
    <Confirm
      title={`Replay deliveries of ${webhookName(webhook)}?`}
      verb="Replay"
      action={replay}
      confirmable={!wrong}
      onConfirm={() => replay.run({ id: webhook.id, since: new Date(at).toISOString(), messages })}
      onClose={onClose}
    >
      <TextField type="datetime-local" label="Since" value={since} onChange={setSince} wrong={wrong} />
      <SelectField label="Deliveries" value={messages} choices={kinds} onChange={setMessages} />
      <p>
        Each delivery keeps its webhook-id. Five are sent per second. Events from while the webhook was paused are sent
        for the first time. Deliveries are kept for 30 days.
      </p>
    </Confirm>
  )
}
