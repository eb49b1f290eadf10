import type { DescribedSetting } from '@faxdeck/contract'
import { useEffect } from 'react'
import { LeaveQuestion } from '../../session/leave-question.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { SaveBar } from '../../ui/form/save-bar.tsx'
import { SettingField, settingId } from '../../ui/form/setting-field.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Approvals } from './approvals.tsx'
import { Clients } from './clients.tsx'
import { Decided } from './decided.tsx'
import styles from './mcp.module.css'
import { TransportPanel } from './transport-panel.tsx'
import { type McpForm, useMcpForm } from './use-mcp-form.ts'

const transports = [
  { name: 'SSE', key: 'enable_mcp_sse' },
  { name: 'HTTP', key: 'enable_mcp_http' },
] as const

/** Moves the focus to the setting that the person was sent to. */
function useTarget(loaded: boolean): void {
  const { visit } = useSession()
  useEffect(() => {
    if (!loaded || visit.open === undefined) return
    const setting = document.getElementById(settingId(visit.open))
    setting?.scrollIntoView({ block: 'center' })
    setting?.querySelector<HTMLElement>('input, select')?.focus({ preventScroll: true })
  }, [visit, loaded])
}

/** Access for assistants: transports, who may come in, and what their clients need to know. */
export function McpScreen() {
  const { config } = useSession()
  const form = useMcpForm()
  const { read, rows, entries, save } = form
  const count = Object.keys(entries).length
  const reload = () => void read.refetch()
  useTarget(rows.length > 0)
  const actions = (
    <Button busy={read.isFetching} onClick={reload}>
      Refresh
    </Button>
  )
  const { mcp } = config
  const shown = {
    SSE: { path: mcp.sse_path, enabled: mcp.sse_enabled },
    HTTP: { path: mcp.http_path, enabled: mcp.http_enabled },
  }
  return (
    <>
      <PageHead title="MCP" purpose="Let assistants send and read faxes, each with its own key." actions={actions} />
      <div className={styles.screen}>
        <Approvals required={rows.some(({ key, value }) => key === 'require_mcp_approval' && value === true)} />
        <Decided />
        {read.error && (
          <ErrorNotice error={read.error} what="Failed to load MCP config" busy={read.isFetching} onRetry={reload} />
        )}
        {!read.data && !read.error && <Skeleton lines={6} height={4} />}
        {rows.length > 0 && (
          <>
            <div className={styles.pair}>
              {transports.map(({ name, key }) => (
                <TransportPanel
                  key={name}
                  name={name}
                  {...shown[name]}
                  setting={rows.find((row) => row.key === key)}
                  form={form}
                />
              ))}
            </div>
            <RulesPanel form={form} />
            <OauthPanel form={form} />
            <SaveBar
              count={count}
              verb="Apply"
              busy={save.busy}
              error={save.error}
              what="Failed to apply MCP settings"
              faults={form.faults}
              onApply={form.apply}
              onDiscard={form.discard}
            />
          </>
        )}
        <Clients />
      </div>
      <LeaveQuestion when={count > 0} title="Leave with unsaved changes?">
        <p>Your changes are not saved and will be lost.</p>
      </LeaveQuestion>
    </>
  )
}

const ruleKeys = ['require_mcp_quote', 'require_mcp_approval']
const isRule = ({ key }: DescribedSetting) => ruleKeys.includes(key)
const isOauth = (row: DescribedSetting) => !isRule(row) && !transports.some(({ key }) => key === row.key)

function RulesPanel({ form }: { form: McpForm }) {
  return (
    <Panel aria-labelledby="mcp-rules">
      <h2 id="mcp-rules">Before an assistant sends</h2>
      <p className={styles.quiet}>Applies to send_fax from MCP clients only, not to direct API calls.</p>
      <Rows form={form} which={isRule} />
    </Panel>
  )
}

function OauthPanel({ form }: { form: McpForm }) {
  return (
    <Panel aria-labelledby="mcp-oauth">
      <h2 id="mcp-oauth">OAuth</h2>
      <p className={styles.quiet}>
        With OAuth required, only tokens of your issuer are accepted, no API keys. Without it a key in X-API-Key is
        enough.
      </p>
      <Rows form={form} which={isOauth} />
    </Panel>
  )
}

interface RowsProps {
  form: McpForm
  which: (row: DescribedSetting) => boolean
}

function Rows({ form: { rows, entries, refusals, enter }, which }: RowsProps) {
  return (
    <div className={styles.rows}>
      {rows.filter(which).map((row) => (
        <SettingField
          key={row.key}
          setting={row}
          entry={entries[row.key]}
          wrong={refusals[row.key]}
          onEnter={(entry) => enter(row.key, entry)}
        />
      ))}
    </div>
  )
}
