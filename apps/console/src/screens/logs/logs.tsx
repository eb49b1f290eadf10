import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconBell, IconCheck, IconDots, IconRefresh } from '../../ui/control/icons.ts'
import { Switch } from '../../ui/form/fields.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { Menu } from '../../ui/overlay/menu.tsx'
import { anyTime, timeRangeKey } from '../../ui/time-range.ts'
import { useKept } from '../../ui/use-kept.ts'
import { useChainCheck } from './chain-check.tsx'
import { EntryDialog } from './entry-dialog.tsx'
import { FilterBar } from './filter-bar.tsx'
import { ListFoot } from './list-foot.tsx'
import { blankFields, isFiltered, type LogFields } from './log-filter.ts'
import { LogList } from './log-list.tsx'
import styles from './logs.module.css'
import { NoEntries } from './no-entries.tsx'
import { type LogRow, logsQuery } from './queries.ts'
import { TrailCopies } from './trail-copies.tsx'

/** Audit trail of everything that happened. */
export function LogsScreen() {
  const [kept, keepFields] = useKept('logs.filter', blankFields)
  const [since, share] = useKept(timeRangeKey, anyTime)
  const fields = useMemo(() => ({ ...kept, since }), [kept, since])
  const [follow, setFollow] = useKept('logs.follow', false)
  const { data: list, error, isPlaceholderData, refetch } = useQuery(logsQuery(fields, follow))
  const refresh = useAction(() => refetch())
  const [opened, setOpened] = useState<LogRow>()
  const chain = useChainCheck()
  const close = () => setOpened(undefined)
  const change = (next: LogFields) => {
    close()
    keepFields(next)
    share(next.since)
  }
  // The file is off: nothing failed, and the empty state says how to switch it on.
  const fileOff = fields.source === 'file' && error?.answer?.code === 'feature_disabled'
  const shown = error ? undefined : list
  const actions = <Actions refresh={refresh} check={chain.check} follow={follow} onFollow={setFollow} />
  return (
    <>
      <PageHead title="Logs" purpose="The audit trail of everything that happened." actions={actions} />
      {chain.answer}
      <TrailCopies />
      <FilterBar fields={fields} events={eventsOf(list?.rows)} onChange={change} />
      {error && !fileOff && <ErrorNotice error={error} busy={refresh.busy} onRetry={() => refresh.run(undefined)} />}
      {!list && !error && <Skeleton lines={8} height={2.5} />}
      {(fileOff || shown?.rows.length === 0) && (
        <NoEntries
          filtered={isFiltered(fields)}
          fileOff={fileOff}
          onClear={() => change({ ...blankFields, source: fields.source })}
        />
      )}
      {shown && shown.rows.length > 0 && (
        <div className={styles.list} aria-busy={isPlaceholderData}>
          <LogList key={JSON.stringify(fields)} rows={shown.rows} current={opened} onOpen={setOpened} />
          <ListFoot list={shown} />
        </div>
      )}
      {opened && (
        <EntryDialog
          entry={opened.entry}
          onClose={close}
          onSearch={(search) => change({ ...blankFields, source: fields.source, search })}
        />
      )}
    </>
  )
}

interface Act {
  busy: boolean
  run: (input: undefined) => void
}

interface ActionsProps {
  refresh: Act
  check: Act
  follow: boolean
  onFollow: (follow: boolean) => void
}

/** What can be done with the list as a whole: buttons, or one menu on a small screen. */
function Actions({ refresh, check, follow, onFollow }: ActionsProps) {
  const wide = useWide()
  if (!wide) {
    const items = [
      { key: 'refresh', label: 'Refresh', icon: IconRefresh, onChoose: () => refresh.run(undefined) },
      { key: 'follow', label: follow ? 'Stop following' : 'Follow', icon: IconBell, onChoose: () => onFollow(!follow) },
      { key: 'check', label: 'Verify chain', icon: IconCheck, onChoose: () => check.run(undefined) },
    ]
    return <Menu icon={IconDots} label="More actions" items={items} />
  }
  return (
    <>
      <Switch label="Follow" checked={follow} onChange={onFollow} />
      <Button action={check}>Verify chain</Button>
      <Button action={refresh}>Refresh</Button>
    </>
  )
}

/** The events among the rows, for the field that asks for one. */
function eventsOf(rows: readonly LogRow[] = []): string[] {
  return [...new Set(rows.map(({ entry }) => entry.event))].sort()
}
