import type { ApiKey } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconKey, IconPlus } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { IssuedDialog } from '../../ui/overlay/issued-dialog.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import { type KeyChange, KeyTable } from './key-table.tsx'
import { keysQuery, type KeyWithToken } from './queries.ts'
import { WebhookPage } from './webhooks/webhook-page.tsx'
import { WebhookSection } from './webhooks/webhook-section.tsx'

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

interface Props {
  /** The webhook that was seen before; empty when it is gone. */
  left: string | undefined
  /** Whether a key or a webhook is being made. */
  creating: boolean
  adding: boolean
  onOpen: (part: 'new' | 'new-webhook') => void
  onOpenWebhook: (id: string) => void
  onClose: () => void
}

/** The keys, and below them the webhooks. */
function KeyList({ left, creating, adding, onOpen, onOpenWebhook, onClose }: Props) {
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const refresh = useAction(() => refetch())
  const [shown, setShown] = useState<KeyWithToken>()
  const [changing, setChanging] = useState<{ key: ApiKey; change: KeyChange }>()
  const create = () => onOpen('new')
  const stopChanging = () => setChanging(undefined)

  const actions = (
    <>
      <Button action={refresh}>Refresh</Button>
      <Button icon={IconPlus} tone="primary" onClick={create}>
        Create Key
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="API Keys" purpose="Who can use this gateway, and for what." actions={actions} />
      {error && <ErrorNotice error={error} busy={refresh.busy} onRetry={() => refresh.run(undefined)} />}
      {!keys && !error && <Skeleton lines={4} height={2.5} />}
      {keys?.length === 0 && <NoKeys onCreate={create} />}
      {keys && keys.length > 0 && <KeyTable keys={keys} onChange={(key, change) => setChanging({ key, change })} />}
      <WebhookSection
        left={left}
        adding={adding}
        onAdd={() => onOpen('new-webhook')}
        onAdded={onClose}
        onOpen={onOpenWebhook}
      />
      {creating && <CreateKeyDialog onClose={onClose} onCreated={setShown} />}
      {changing?.change === 'rotate' && (
        <RotateDialog subject={changing.key} onClose={stopChanging} onRotated={setShown} />
      )}
      {changing?.change === 'revoke' && <RevokeDialog subject={changing.key} onClose={stopChanging} />}
      {shown && (
        <IssuedDialog
          title={shown.name ? `The key “${shown.name}”` : 'The new key'}
          value={shown.token}
          copy="Copy Key"
          onDone={() => setShown(undefined)}
        />
      )}
    </>
  )
}

function NoKeys({ onCreate }: { onCreate: () => void }) {
  return (
    <EmptyState
      icon={IconKey}
      title="No keys created yet"
      why="The bootstrap key (API_KEY) is not listed here. Give each program and person their own key, so each can be revoked separately."
      next={
        <Button tone="primary" onClick={onCreate}>
          Create Your First Key
        </Button>
      }
    />
  )
}
