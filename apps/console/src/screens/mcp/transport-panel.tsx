import type { DescribedSetting } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { gatewayAddress } from '../../api/gateway-root.ts'
import { Button, CopyButton } from '../../ui/control/button.tsx'
import { Chip, StatusChip } from '../../ui/control/status-chip.tsx'
import { SettingField } from '../../ui/form/setting-field.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import styles from './mcp.module.css'
import { healthQuery } from './queries.ts'
import type { McpForm } from './use-mcp-form.ts'

interface Props {
  /** "SSE", "HTTP". */
  name: string
  path: string
  /** As it is in force. */
  enabled: boolean
  setting: DescribedSetting | undefined
  form: McpForm
}

/** One transport: on or off, its address, and what its health address answers. */
export function TransportPanel({ name, path, enabled, setting, form }: Props) {
  const address = gatewayAddress + path
  return (
    <Panel aria-labelledby={`mcp-${name}`}>
      <h2 id={`mcp-${name}`} className={setting && 'unseen'}>
        MCP over {name}
      </h2>
      {setting && (
        <SettingField
          setting={setting}
          entry={form.entries[setting.key]}
          wrong={form.refusals[setting.key]}
          onEnter={(entry) => form.enter(setting.key, entry)}
        />
      )}
      <div className={styles.address}>
        <code>{address}</code>
        <CopyButton text={address} label="Copy URL" what={`of MCP over ${name}`} />
      </div>
      {enabled ? <Health name={name} path={path} /> : <p className={styles.quiet}>Available once it is turned on.</p>}
    </Panel>
  )
}

const meanings: Record<number, string> = {
  0: 'The gateway did not answer. Check that it is running.',
  401: 'The health URL asked for a key, but it shouldn’t. A proxy in front of the gateway may be the cause.',
  404: 'Nothing answered at this URL. This version of the gateway may not include an MCP server.',
  503: 'The MCP server is starting, stopping or overloaded.',
}

function Health({ name, path }: { name: string; path: string }) {
  const { data: status, isFetching, refetch } = useQuery(healthQuery(path))
  const healthy = status !== undefined && status >= 200 && status < 300
  return (
    <div className={styles.health}>
      <div role="status">
        {status !== undefined && healthy && <StatusChip status="Healthy" />}
        {status !== undefined && !healthy && (
          <>
            <Chip tone="bad">MCP not healthy ({status === 0 ? 'no answer' : status})</Chip>
            <p className={styles.quiet}>{meanings[status] ?? 'See the gateway log for details.'}</p>
          </>
        )}
      </div>
      <Button busy={isFetching} onClick={() => void refetch()} aria-label={`Check Health of MCP over ${name}`}>
        Check Health
      </Button>
    </div>
  )
}
