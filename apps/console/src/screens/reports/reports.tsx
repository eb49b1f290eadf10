import type { Report, ReportSection } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providersQuery } from '../../api/providers.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDownload, IconPrinter, IconReport } from '../../ui/control/icons.ts'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { printPage } from '../../ui/print/print-page.ts'
import { useKept } from '../../ui/use-kept.ts'
import { FilterRow } from './filter-row.tsx'
import { dayInWords } from './figure-words.ts'
import { Prices } from './prices.tsx'
import { reportQuery, saveTable } from './queries.ts'
import { blankFields, type ReportFields } from './report-fields.ts'
import styles from './reports.module.css'
import { Summary } from './summary.tsx'
import { ReportTable, sectionsOf } from './tables.tsx'
import { VolumeChart } from './volume-chart.tsx'

/** How much was faxed, how well, how fast and at what cost. */
export function ReportsScreen() {
  const [fields, setFields] = useKept('reports.fields', blankFields)
  // The days are those of the moment at which the screen was opened.
  const [now] = useState(() => new Date())
  const { data, error, isFetching, refetch } = useQuery(reportQuery(fields, now))
  const { data: providers } = useQuery(providersQuery)
  const report = error ? undefined : data
  const isMissingDates = fields.period === 'custom' && (fields.from === '' || fields.to === '')
  const actions = (
    <Button icon={IconPrinter} disabled={!report} onClick={() => void printPage()}>
      Print
    </Button>
  )
  return (
    <>
      <PageHead title="Reports" purpose="Volume, success rate, delivery times and costs." actions={actions} />
      <FilterRow fields={fields} onChange={setFields} />
      {isMissingDates && <p className="quiet">Choose the first and last day.</p>}
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!report && !error && !isMissingDates && <Skeleton lines={8} height={2.5} />}
      <div aria-busy={isFetching || undefined}>
        <CardGrid>
          {report && !isMissingDates && <ReportCards report={report} fields={fields} now={now} />}
          <Card title="Prices" width="full">
            <Prices providers={providers} />
          </Card>
        </CardGrid>
      </div>
    </>
  )
}

interface CardsProps {
  report: Report
  fields: ReportFields
  now: Date
}

function ReportCards({ report, fields, now }: CardsProps) {
  const { data: providers } = useQuery(providersQuery)
  const [kept, setSection] = useKept<ReportSection>('reports.section', 'steps')
  const sections = sectionsOf(report)
  const section = sections.some(({ key }) => key === kept) ? kept : 'steps'
  const save = useAction(() => saveTable(fields, section, now))
  if (report.totals.sent + report.totals.received === 0) {
    return (
      <div className={styles.none}>
        <EmptyState
          icon={IconReport}
          title="No faxes in this period"
          why="Faxes on the test line aren’t counted. Choose another period."
        />
      </div>
    )
  }
  return (
    <>
      <Card title={`${dayInWords(report.from, true)} to ${dayInWords(report.to, true)}`} width="half">
        <Summary totals={report.totals} />
        <p className="quiet">Sent faxes are counted on the day they were submitted. Time zone: {report.time_zone}.</p>
      </Card>
      <Card title="Faxes over time" width="half">
        <VolumeChart report={report} />
      </Card>
      {/* On paper, where no tabs are, the title says which table it is. */}
      <Card title={sections.find(({ key }) => key === section)?.label ?? ''} width="full">
        <div className={styles.head}>
          <Views label="Table" tabs={sections} current={section} onGo={setSection} />
          <Button icon={IconDownload} busy={save.busy} onClick={() => save.run(undefined)}>
            Download CSV
          </Button>
        </div>
        {save.error && <ErrorNotice error={save.error} />}
        <ReportTable report={report} section={section} providers={providers} />
      </Card>
    </>
  )
}
