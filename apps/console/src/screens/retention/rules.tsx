import type { OwnGroup, Retention } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnGroups } from '../../api/groups.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { retentionQuery } from './queries.ts'
import { groupName, keptFor } from './retention-words.ts'
import styles from './retention.module.css'
import { RuleDialog } from './rule-dialog.tsx'

/** How long documents are kept: the general rule, and those of groups. */
export function Rules() {
  const { data, error, isFetching, refetch } = useQuery(retentionQuery)
  return (
    <>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton lines={6} height={2} />}
      {data && (
        <CardGrid>
          <GeneralRule retention={data} />
          <GroupRules retention={data} />
        </CardGrid>
      )}
    </>
  )
}

function GeneralRule({ retention }: { retention: Retention }) {
  const { go, canGo } = useSession()
  const settings = 'settings/storage'
  return (
    <Card title="General rule" width="full">
      <FactList
        look="tiles"
        facts={[
          ['Sent documents are kept', keptFor(retention.sent_days)],
          ['Received documents are kept', keptFor(retention.received_days)],
        ]}
      />
      <div className={styles.head}>
        <p className="quiet">
          The time starts when a sent fax ends or a received fax arrives. The fax’s numbers, times and outcome are kept.
        </p>
        {canGo('settings/settings') && <Button onClick={() => go(settings)}>Change in Settings</Button>}
      </div>
    </Card>
  )
}

interface GroupRule {
  group: string
  sent: number | undefined
  received: number | undefined
}

function rulesByGroup({ rules }: Retention, groups: readonly OwnGroup[]): GroupRule[] {
  const byGroup = Map.groupBy(rules, ({ group_id: id }) => id)
  return [...byGroup]
    .map(([group, own]) => ({
      group,
      sent: own.find(({ direction }) => direction === 'sent')?.days,
      received: own.find(({ direction }) => direction === 'received')?.days,
    }))
    .toSorted((a, b) => groupName(groups, a.group).localeCompare(groupName(groups, b.group)))
}

const inWords = ({ sent, received }: GroupRule) =>
  [
    `Sent: ${sent === undefined ? 'general rule' : keptFor(sent)}`,
    `received: ${received === undefined ? 'general rule' : keptFor(received)}`,
  ].join(', ')

/** Groups whose faxes are kept for other times. */
function GroupRules({ retention }: { retention: Retention }) {
  const groups = useOwnGroups()
  const [editing, setEditing] = useState<{ group?: string; retention: Retention }>()
  const rules = rulesByGroup(retention, groups)
  return (
    <Card title="Group rules" width="full">
      <div className={styles.head}>
        <p className="quiet">A group with its own rule follows that rule instead of the general rule.</p>
        <Button onClick={() => setEditing({ retention })}>Add rule</Button>
      </div>
      {rules.length === 0 && <p className="quiet">No group has its own rule.</p>}
      <ul className={styles.rules} aria-label="Group rules">
        {rules.map((rule) => (
          <li key={rule.group}>
            <span>
              <strong>{groupName(groups, rule.group)}</strong>
              <br />
              {inWords(rule)}
            </span>
            <Button
              tone="quiet"
              aria-label={`Change the rule for ${groupName(groups, rule.group)}`}
              onClick={() => setEditing({ group: rule.group, retention })}
            >
              Change
            </Button>
          </li>
        ))}
      </ul>
      {editing && <RuleDialog {...editing} groups={groups} onClose={() => setEditing(undefined)} />}
    </Card>
  )
}
