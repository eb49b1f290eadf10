import { useSession } from '../../shell/session.ts'
import { KeyList } from './key-list.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'

const place = 'settings/keys'
const webhook = 'webhook:'

/** Who and what may use this gateway, and who is told what happens here; or one webhook with what was sent to it. */
export function KeysScreen() {
  const { visit, go } = useSession()
  const { open } = visit
  if (!open?.startsWith(webhook)) {
    return (
      <KeyList
        creating={open === 'new'}
        adding={open === 'new-webhook'}
        onOpen={(part) => go(place, { open: part })}
        onOpenWebhook={(id) => go(place, { open: webhook + id })}
        onClose={() => go(place, { replace: true })}
      />
    )
  }
  const id = open.slice(webhook.length)
  return <WebhookPage key={id} id={id} onLeave={() => go(place)} onRemoved={() => go(place, { replace: true })} />
}
