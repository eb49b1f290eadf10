import { useState } from 'react'
import { useSession } from '../../session/session.ts'
import { KeyList } from './key-list.tsx'
import { WebhookPage } from './webhooks/webhook-page.tsx'

const place = 'settings/keys'
const webhook = 'webhook:'

/** Who and what may use this gateway, and which webhooks are sent what happens here; or one webhook with what was sent to it. */
export function KeysScreen() {
  const { visit, go } = useSession()
  const { open } = visit
  const id = open?.startsWith(webhook) ? open.slice(webhook.length) : undefined
  const [seen, setSeen] = useState(id)
  if (id !== undefined && id !== seen) setSeen(id)
  if (id === undefined) {
    return (
      <KeyList
        left={seen}
        creating={open === 'new'}
        adding={open === 'new-webhook'}
        onOpen={(part) => go(place, { open: part })}
        onOpenWebhook={(opened) => go(place, { open: webhook + opened })}
        onClose={() => go(place, { replace: true })}
      />
    )
  }
  const leaveRemoved = () => {
    go(place, { replace: true })
    setSeen('')
  }
  return <WebhookPage key={id} id={id} onLeave={() => go(place)} onRemoved={leaveRemoved} />
}
