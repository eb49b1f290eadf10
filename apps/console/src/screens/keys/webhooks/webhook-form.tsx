import type { InboundContent, Webhook, WebhookEvent } from '@faxdeck/contract'
import { webhookEvents } from '@faxdeck/contract/webhook-events'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import form from '../../../ui/form/fields.module.css'
import { Checkbox, SelectField, TextField } from '../../../ui/form/fields.tsx'
import { FormDialog } from '../../../ui/overlay/dialog.tsx'
import { type NewWebhook, refreshes } from './queries.ts'
import { addressFault, contentChoices, contentMeanings, eventMeanings } from './webhook-words.ts'
import styles from './webhooks.module.css'

interface Props<Saved> {
  title: string
  verb: string
  /** What it is at present; a new one when absent. */
  present?: Webhook
  save: (wanted: NewWebhook) => Promise<Saved>
  onClose: () => void
  onSaved: (saved: Saved) => void
}

const blank = {
  url: '',
  description: null,
  events: ['fax.delivered', 'fax.failed', 'fax.uncertain'] as const,
  inbound_content: 'details' as const,
}

/** Where a webhook goes and which events it is sent. */
export function WebhookForm<Saved>({ title, verb, present, save, onClose, onSaved }: Props<Saved>) {
  const start = present ?? blank
  const [url, setUrl] = useState(start.url)
  const [description, setDescription] = useState(start.description ?? '')
  const [events, setEvents] = useState<readonly WebhookEvent[]>(start.events)
  const [content, setContent] = useState<InboundContent>(start.inbound_content)
  const saving = useAction(save, {
    refreshes,
    onDone: (saved) => {
      onClose()
      onSaved(saved)
    },
  })
  const address = url.trim()
  const fault = addressFault(address)
  const ready = address !== '' && !fault && events.length > 0
  return (
    <FormDialog
      title={title}
      verb={verb}
      ready={ready}
      action={saving}
      noValidate
      onSubmit={() =>
        saving.run({
          url: address,
          description: description.trim() || null,
          events: [...events],
          inbound_content: content,
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Address (URL)"
        type="url"
        help="Where deliveries are posted. Use a public https:// address. To allow private addresses, see the guide."
        placeholder="https://hooks.example.com/faxdeck"
        maxLength={2000}
        spellCheck={false}
        autoFocus
        wrong={fault}
        value={url}
        onChange={setUrl}
      />
      <EventBoxes chosen={events} onChange={setEvents} />
      {events.some((event) => event.startsWith('inbound.')) && (
        <SelectField
          label="Contents of received faxes"
          help={contentMeanings[content]}
          choices={contentChoices}
          value={content}
          onChange={setContent}
        />
      )}
      <TextField
        label="Description (optional)"
        help="What the webhook is for, such as “Patient records”."
        maxLength={200}
        value={description}
        onChange={setDescription}
      />
    </FormDialog>
  )
}

interface BoxesProps {
  chosen: readonly WebhookEvent[]
  onChange: (chosen: readonly WebhookEvent[]) => void
}

function EventBoxes({ chosen, onChange }: BoxesProps) {
  const toggle = (event: WebhookEvent, wanted: boolean) =>
    onChange(webhookEvents.filter((each) => (each === event ? wanted : chosen.includes(each))))
  return (
    <fieldset className={styles.events}>
      <legend>Events</legend>
      {webhookEvents.map((event) => (
        <Checkbox
          key={event}
          label={event}
          help={eventMeanings[event]}
          checked={chosen.includes(event)}
          onChange={(wanted) => toggle(event, wanted)}
        />
      ))}
      {chosen.length === 0 && <p className={form.wrong}>Choose at least one event.</p>}
    </fieldset>
  )
}
