import type { Webhook } from '@faxdeck/contract'
import { type ReactNode, useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { changeWebhook, refreshes, sendTest, type WebhookWithSecret } from './queries.ts'
import { PauseDialog, RemoveDialog, ReplaySinceDialog, RotateSecretDialog, SecretDialog } from './webhook-dialogs.tsx'
import { WebhookForm } from './webhook-form.tsx'
import { webhookName } from './webhook-words.ts'

interface Props {
  webhook: Webhook
  onRemoving: (removing: boolean) => void
  onRemoved: () => void
  /** A test is on its way, under this id. */
  onTested: (message: string) => void
  /** Places the buttons. */
  children: (actions: ReactNode) => ReactNode
}

/** What can be done with a webhook, and the questions that come before. */
export function WebhookActions({ webhook, onRemoving, onRemoved, onTested, children }: Props) {
  const say = useToast()
  const { id, enabled } = webhook
  const [asked, ask] = useState<'edit' | 'replay' | 'rotate' | 'pause' | 'remove'>()
  const [rotated, setRotated] = useState<WebhookWithSecret>()
  const close = () => ask(undefined)
  const test = useAction(sendTest, { refreshes, onDone: (message) => onTested(message.id) })
  const resume = useAction(changeWebhook, { refreshes, toast: 'Webhook resumed' })
  const failure = test.error ?? resume.error
  const actions = (
    <>
      <Button onClick={() => ask('remove')}>Remove</Button>
      <Button onClick={() => ask('rotate')}>Rotate secret</Button>
      <Button onClick={() => ask('edit')}>Edit</Button>
      {enabled ? (
        <>
          <Button onClick={() => ask('replay')}>Replay…</Button>
          <Button onClick={() => ask('pause')}>Pause</Button>
          <Button tone="primary" busy={test.busy} onClick={() => test.run(id)}>
            Send a test
          </Button>
        </>
      ) : (
        <Button tone="primary" busy={resume.busy} onClick={() => resume.run({ id, enabled: true })}>
          Resume
        </Button>
      )}
    </>
  )
  return (
    <>
      {children(actions)}
      {failure && <ErrorNotice error={failure} />}
      {asked === 'edit' && (
        <WebhookForm
          title={`Edit ${webhookName(webhook)}`}
          verb="Save"
          present={webhook}
          save={(wanted) => changeWebhook({ id, ...wanted })}
          onClose={close}
          onSaved={() => say('Webhook saved')}
        />
      )}
      {asked === 'pause' && <PauseDialog webhook={webhook} onClose={close} />}
      {asked === 'replay' && <ReplaySinceDialog webhook={webhook} onClose={close} />}
      {asked === 'remove' && (
        <RemoveDialog webhook={webhook} onClose={close} onRemoving={onRemoving} onRemoved={onRemoved} />
      )}
      {asked === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} onRotated={setRotated} />}
      {rotated && <SecretDialog webhook={rotated} isNew onDone={() => setRotated(undefined)} />}
    </>
  )
}
