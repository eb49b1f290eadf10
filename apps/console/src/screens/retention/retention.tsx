import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconPlus } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Note } from '../../ui/layout/states.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { AuditReport } from './audit-report.tsx'
import { CleaningNotice } from './cleaning-notice.tsx'
import { Deletions } from './deletions.tsx'
import { ExportRecords } from './export-records.tsx'
import { Holds } from './holds.tsx'
import { PlaceHold } from './place-hold.tsx'
import { place } from './retention-words.ts'
import styles from './retention.module.css'
import { Rules } from './rules.tsx'

const views = [
  { key: 'holds', label: 'Legal holds' },
  { key: 'rules', label: 'Rules' },
  { key: 'deletions', label: 'Deletions' },
] as const
type View = (typeof views)[number]['key']

/** How long documents are kept, which are on hold, and what was deleted. */
export function RetentionScreen() {
  const { visit, go, may } = useSession()
  const [kept, setView] = useKept<View>('retention.view', 'holds')
  const mayManage = may('manage_holds')
  // An auditor reads what was deleted, and nothing else here.
  const view = mayManage ? kept : 'deletions'
  const actions = (
    <>
      {may('read_trail') && <Button onClick={() => go(place, { open: 'report' })}>Audit report</Button>}
      {may('export_records') && <Button onClick={() => go(place, { open: 'export' })}>Export records</Button>}
      {mayManage && (
        <Button icon={IconPlus} tone="primary" onClick={() => go(place, { open: 'new' })}>
          Place a legal hold
        </Button>
      )}
    </>
  )
  const close = () => go(place, { replace: true })
  return (
    <>
      <PageHead
        title="Retention"
        purpose="How long documents are kept, which are on hold, and what was deleted."
        actions={actions}
      />
      {!mayManage && (
        <div className={styles.views}>
          <Note>
            Only administrators place holds and export records: an export hands out documents, which an auditor does not
            see. You can read what was deleted, and make audit reports.
          </Note>
        </div>
      )}
      {mayManage && <CleaningNotice />}
      {mayManage && (
        <div className={styles.views}>
          <Views label="Show" tabs={views} current={view} onGo={setView} />
        </div>
      )}
      {view === 'holds' && <Holds />}
      {view === 'rules' && <Rules />}
      {view === 'deletions' && <Deletions />}
      {mayManage && visit.open === 'new' && <PlaceHold onClose={close} />}
      {visit.open === 'report' && <AuditReport onClose={close} />}
      {may('export_records') && visit.open === 'export' && <ExportRecords onClose={close} />}
    </>
  )
}
