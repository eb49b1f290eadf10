import type { Config } from '@faxdeck/contract'
import { gatewayAddress } from '../../api/gateway-root.ts'
import { Card } from '../../ui/layout/card.tsx'
import { CopyButton } from '../../ui/control/copy-button.tsx'
import { StatusChip } from '../../ui/fax/status-chip.tsx'
import styles from './dashboard.module.css'
import { Fact, Facts } from './facts.tsx'
import { useWay } from './use-way.ts'

interface Props {
  config: Config
  width: 'third' | 'half'
}

const yesNo = (value: boolean) => (value ? 'Yes' : 'No')

export function ConfigCard({ config, width }: Props) {
  const open = useWay('settings/settings')
  const { v3_plugins: plugins } = config
  return (
    <Card title="Config Overview" width={width} onOpen={open}>
      <Facts>
        <Fact label="Backend">{config.backend}</Fact>
        <Fact label="Storage">{config.storage.backend}</Fact>
        <Fact label="Require API key">{yesNo(config.require_api_key)}</Fact>
        <Fact label="Enforce HTTPS">{yesNo(config.enforce_public_https)}</Fact>
        <Fact label="v3 plugins">{plugins.enabled ? plugins.active_outbound : 'Off'}</Fact>
      </Facts>
    </Card>
  )
}

export function McpCard({ config, width }: Props) {
  const open = useWay('settings/mcp')
  const { mcp } = config
  return (
    <Card title="MCP Overview" width={width} onOpen={open}>
      <Transport name="SSE" enabled={mcp.sse_enabled} path={mcp.sse_path} />
      <Transport name="HTTP" enabled={mcp.http_enabled} path={mcp.http_path} />
      <Facts>
        <Fact label="OAuth">{mcp.require_oauth ? 'Required' : 'Optional'}</Fact>
      </Facts>
    </Card>
  )
}

interface TransportProps {
  name: string
  enabled: boolean
  path: string
}

function Transport({ name, enabled, path }: TransportProps) {
  return (
    <div className={styles.address}>
      <span>
        {name} <StatusChip status={enabled ? 'Enabled' : 'Disabled'} />
      </span>
      <CopyButton text={gatewayAddress + path} label="Copy URL" what={`of MCP over ${name}`} />
    </div>
  )
}

export function PluginsCard({ config, width }: Props) {
  const open = useWay('tools/plugins')
  return (
    <Card title="Plugins" width={width} onOpen={open}>
      <Facts>
        <Fact label="Outbound provider">{config.v3_plugins.active_outbound}</Fact>
        <Fact label="Installed">{config.v3_plugins.installed}</Fact>
      </Facts>
    </Card>
  )
}
