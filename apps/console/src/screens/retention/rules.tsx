import type { OwnGroup, Retention, RetentionRule } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useOwnGroups } from '../../api/groups.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { fieldsOf, SelectField, TextField } from '../../ui/form/fields.tsx'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { ErrorNotice, Note, Skeleton } from '../../ui/layout/states.tsx'
import { FormDialog } from '../../ui/overlay/dialog.tsx'
import { retentionQuery, useSaveRules } from './queries.ts'
import { groupName, keptFor } from './retention-words.ts'
import styles from './retention.module.css'

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

interface Props {
  /** The rules as they were when the dialog was opened: saving others than these is refused. */
  retention: Retention
  /** Whose rule is changed; a new one, when absent. */
  group?: string
  groups: readonly OwnGroup[]
  onClose: () => void
}

interface Days {
  sent: string
  received: string
}

const maxDays = 36_500
const isDays = (text: string) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) <= maxDays)
const wrongDays = (text: string) => (isDays(text) ? undefined : 'Enter a whole number of days, up to 36,500.')

const daysOf = ({ rules }: Retention, group: string): Days => {
  const of = (direction: RetentionRule['direction']) =>
    String(rules.find((rule) => rule.direction === direction && rule.group_id === group)?.days ?? '')
  return { sent: of('sent'), received: of('received') }
}

/** All rules, with those of one group as they were typed. */
function changed({ rules, version }: Retention, group: string, { sent, received }: Days) {
  const others = rules.filter(({ group_id: id }) => id !== group)
  const typed = [
    { direction: 'sent', days: sent },
    { direction: 'received', days: received },
  ] as const
  const own = typed.flatMap(({ direction, days }) =>
    days === '' ? [] : [{ direction, group_id: group, days: Number(days) }],
  )
  return { rules: [...others, ...own], version }
}

/** How long the documents of one group are kept. */
function RuleDialog({ retention, group: known, groups, onClose }: Props) {
  const [group, setGroup] = useState(known ?? '')
  const [days, setDays] = useState(() => daysOf(retention, group))
  const field = fieldsOf(days, setDays)
  const save = useSaveRules(onClose)
  const isWhole = group !== '' && isDays(days.sent) && isDays(days.received)
  const deletes = [days.sent, days.received].some((each) => isDays(each) && Number(each) > 0)
  const free = groups.filter(({ id }) => !retention.rules.some((rule) => rule.group_id === id))
  const none =
    groups.length === 0 ? 'There are no groups yet' : free.length === 0 ? 'Every group has a rule' : undefined
  const remove = (
    <Button
      tone="danger"
      busy={save.busy}
      onClick={() => save.run(changed(retention, group, { sent: '', received: '' }))}
    >
      Remove rule
    </Button>
  )
  return (
    <FormDialog
      title={known === undefined ? 'Add a rule' : `Rule for ${groupName(groups, known)}`}
      verb="Save"
      ready={isWhole}
      action={save}
      also={known !== undefined && remove}
      onSubmit={() => save.run(changed(retention, group, days))}
      onClose={onClose}
    >
      {known === undefined && (
        <SelectField
          label="Group"
          choices={[
            { value: '', label: none ?? 'Choose…' },
            ...free.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={group}
          onChange={setGroup}
        />
      )}
      <DaysField label="Keep sent documents (days)" {...field('sent')} />
      <DaysField label="Keep received documents (days)" {...field('received')} />
      {deletes && (
        <Note tone="warn">
          Older documents of this group are deleted within the hour and can’t be recovered. Documents on legal hold are
          kept.
        </Note>
      )}
    </FormDialog>
  )
}

function DaysField({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <TextField
      label={label}
      help="Leave blank to use the general rule. Enter 0 to keep documents indefinitely."
      wrong={wrongDays(value)}
      inputMode="numeric"
      value={value}
      onChange={(typed) => onChange(typed.trim())}
    />
  )
}
