import { configQuery } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconLogs } from '../../ui/control/icons.ts'
import { EmptyState, ErrorNotice } from '../../ui/layout/states.tsx'
import styles from './logs.module.css'
import { enableAuditLog } from './queries.ts'

interface Props {
  filtered: boolean
  /** The file was asked for while it is not written. */
  fileOff: boolean
  onClear: () => void
}

function whyOf({ filtered, fileOff }: Props, enabled: boolean): string {
  const start = fileOff
    ? 'Entries are written to the audit file only while audit logging is on.'
    : filtered
      ? 'Clear the filters to see all entries.'
      : 'Every fax, key and settings change is recorded here as it happens.'
  return enabled ? start : `${start} Enable audit logging to keep events in a file as well as in the database.`
}

/** Nothing to show: why, and the one next step. */
export function NoEntries(props: Props) {
  const { config, may } = useSession()
  const { filtered, fileOff, onClear } = props
  const title = fileOff ? 'Audit logging is off' : filtered ? 'No matching entries' : 'No entries yet'
  const next = (
    <div className={styles.next}>
      {filtered && !fileOff && <Button onClick={onClear}>Clear filters</Button>}
      {!config.audit_log_enabled && may('manage_settings') && <EnableNow />}
    </div>
  )
  return <EmptyState icon={IconLogs} title={title} why={whyOf(props, config.audit_log_enabled)} next={next} />
}

function EnableNow() {
  const refreshes = [configQuery.queryKey, ['logs']]
  const enable = useAction(enableAuditLog, { refreshes, toast: 'Audit logging enabled' })
  return (
    <>
      <Button tone="primary" action={enable}>
        Enable Now
      </Button>
      {enable.error && <ErrorNotice error={enable.error} />}
    </>
  )
}
