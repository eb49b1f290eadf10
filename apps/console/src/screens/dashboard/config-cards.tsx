import type { Config } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { gatewayAddress } from '../../api/gateway-root.ts'
import { providerName, providersQuery } from '../../api/overview.ts'
import { CopyButton } from '../../ui/control/button.tsx'
import { StatusChip } from '../../ui/control/status-chip.tsx'
import { Card } from '../../ui/layout/card.tsx'
import styles from './dashboard.module.css'
import { Fact, Facts } from './facts.tsx'
import { useWay } from './use-way.ts'

interface Props {
  config: Config
  width: 'third' | 'half'
}

const storageNames: Readonly<Record<string, string>> = { local: 'Local disk', s3: 'S3' }
const yesNo = (value: boolean) => (value ? 'Yes' : 'No')

export function ConfigCard({ config, width }: Props) {
  const open = useWay('settings/settings')
  const { v3_plugins: plugins, storage } = config
  const { data: providers } = useQuery(providersQuery)
  return (
    <Card title="Config Overview" width={width} onOpen={open}>
      <Facts>
        <Fact label="Backend">{providerName(config.backend, providers)}</Fact>
        <Fact label="Storage">{storageNames[storage.backend] ?? storage.backend}</Fact>
        <Fact label="Require API key">{yesNo(config.require_api_key)}</Fact>
        <Fact label="Enforce HTTPS">{yesNo(config.enforce_public_https)}</Fact>
        <Fact label="v3 plugins">{plugins.enabled ? providerName(plugins.active_outbound, providers) : 'Off'}</Fact>
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

function Transport({ name, enabled, path }: { name: string; enabled: boolean; path: string }) {
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
  const { data: providers } = useQuery(providersQuery)
  return (
    <Card title="Plugins" width={width} onOpen={open}>
      <Facts>
        <Fact label="Outbound provider">{providerName(config.v3_plugins.active_outbound, providers)}</Fact>
        <Fact label="Installed">{config.v3_plugins.installed}</Fact>
      </Facts>
    </Card>
  )
}
