import type { Report, ReportSection } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providersQuery } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDownload, IconPrinter, IconReport } from '../../ui/control/icons.ts'
import { fieldsOf, SelectField, Switch, TextField } from '../../ui/form/fields.tsx'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { FactList } from '../../ui/layout/fact-list.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Note, Skeleton } from '../../ui/layout/states.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { printPage } from '../../ui/print/print-page.ts'
import { useKept } from '../../ui/use-kept.ts'
import { durationInWords, grouped, successRate } from '../../ui/words/figures.ts'
import { costGaps, costInWords, dayInWords } from './figure-words.ts'
import { Prices } from './prices.tsx'
import { reportQuery, saveTable } from './queries.ts'
import { blankFields, periodChoices, type ReportFields, usualStep } from './report-fields.ts'
import styles from './reports.module.css'
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

function ReportCards({ report, fields, now }: { report: Report; fields: ReportFields; now: Date }) {
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
          why={`${report.tests ? '' : 'Test faxes aren’t counted. '}Choose another period.`}
        />
      </div>
    )
  }
  return (
    <>
      <Card
        title={[...new Set([report.from, report.to])].map((day) => dayInWords(day, true)).join(' to ')}
        width="half"
      >
        <Summary totals={report.totals} />
        <p className="quiet">
          Sent faxes are counted on the day they were submitted. Time zone: {report.time_zone}.
          {report.tests && ' Test faxes are counted as if they had been sent.'}
        </p>
      </Card>
      <Card title="Faxes over time" width="half">
        <VolumeChart report={report} />
      </Card>
      {/* On paper, where no tabs are, the title says which table it is. */}
      <Card title={sections.find(({ key }) => key === section)?.label ?? ''} width="full">
        <div className={styles.head}>
          <Views label="Table" tabs={sections} current={section} onGo={setSection} />
          <Button icon={IconDownload} action={save}>
            Download CSV
          </Button>
        </div>
        {save.error && <ErrorNotice error={save.error} />}
        <ReportTable report={report} section={section} providers={providers} />
      </Card>
    </>
  )
}

const stepChoices = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const

const zoneChoices = [
  { value: 'viewer', label: 'Your time zone' },
  { value: 'gateway', label: 'Gateway time zone' },
] as const

/** Which days are reported, in which steps, and where a day begins. */
function FilterRow({ fields, onChange }: { fields: ReportFields; onChange: (fields: ReportFields) => void }) {
  const field = fieldsOf(fields, onChange)
  return (
    <div role="search" className={styles.filter} aria-label="Choose the period">
      <SelectField
        label="Period"
        value={fields.period}
        choices={periodChoices}
        onChange={(period) => onChange({ ...fields, period, step: usualStep[period] })}
      />
      {fields.period === 'custom' && (
        <>
          <TextField label="First day" type="date" max={fields.to} {...field('from')} />
          <TextField label="Last day" type="date" min={fields.from} {...field('to')} />
        </>
      )}
      <SelectField label="Group by" choices={stepChoices} {...field('step')} />
      <SelectField label="Time zone" choices={zoneChoices} {...field('zone')} />
      <Switch
        label="Count test faxes"
        checked={fields.tests === true}
        onChange={(tests) => onChange({ ...fields, tests })}
      />
    </div>
  )
}

/** The figures of the whole period. */
function Summary({ totals }: { totals: Report['totals'] }) {
  const facts = [
    ['Sent', grouped(totals.sent)],
    ['Delivered', grouped(totals.delivered)],
    ['Failed', grouped(totals.failed)],
    ['Canceled', grouped(totals.cancelled)],
    ['Open or unconfirmed', grouped(totals.open)],
    ['Success rate', successRate(totals)],
    ['Pages delivered', grouped(totals.pages)],
    ['Median time to delivery', durationInWords(totals.median_seconds)],
    ['95% delivered within', durationInWords(totals.p95_seconds)],
    ['Received', grouped(totals.received)],
    ['Pages received', grouped(totals.received_pages)],
    ['Cost', costInWords(totals.costs)],
  ] as const
  const gaps = costGaps(totals)
  return (
    <>
      <FactList look="tiles" facts={facts} />
      {gaps.length > 0 && <Note tone="info">{gaps.join(' ')}</Note>}
    </>
  )
}
