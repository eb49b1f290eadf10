import type { ApiKey } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { IconKey, IconPlus } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeyTable, type KeyChange } from './key-table.tsx'
import { keysQuery, type KeyWithToken } from './queries.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { WebhookSection } from './webhooks/webhook-section.tsx'

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
export function KeyList({ left, creating, adding, onOpen, onOpenWebhook, onClose }: Props) {
  const { data: keys, error, refetch } = useQuery(keysQuery)
  const refresh = useAction(() => refetch())
  const [shown, setShown] = useState<KeyWithToken>()
  const [changing, setChanging] = useState<{ key: ApiKey; change: KeyChange }>()
  const create = () => onOpen('new')
  const stopChanging = () => setChanging(undefined)

  const actions = (
    <>
      <Button busy={refresh.busy} onClick={() => refresh.run(undefined)}>
        Refresh
      </Button>
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
        <TokenDialog
          title={shown.name ? `The key “${shown.name}”` : 'The new key'}
          token={shown.token}
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
      title="No API keys yet"
      why="You are logged in with the bootstrap key. Give each program and person their own key, so each can be revoked separately."
      next={
        <Button tone="primary" onClick={onCreate}>
          Create Your First Key
        </Button>
      }
    />
  )
}
