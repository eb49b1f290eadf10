import { useState } from 'react'
import { gatewayAddress } from '../../api/gateway-root.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { CodeBlock } from '../../ui/layout/code-block.tsx'
import { Note } from '../../ui/layout/states.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import styles from './mcp.module.css'

/** How an assistant reaches the gateway. */
interface Connection {
  /** Origin of the gateway. */
  origin: string
  transport: 'http' | 'sse'
  path: string
  /** Then a client signs in by itself, and sends no key. */
  oauth: boolean
}

interface ClientSnippet {
  key: string
  label: string
  /** Where it is to be pasted. */
  where: string
  code: string
}

const placeholder = 'YOUR_API_KEY'
const json = (value: unknown) => JSON.stringify(value, null, 2)

function claudeCode({ transport, oauth }: Connection, url: string): ClientSnippet {
  const header = oauth ? '' : ` --header "X-API-Key: ${placeholder}"`
  const code = `claude mcp add --transport ${transport} faxdeck ${url}${header}`
  return { key: 'claude-code', label: 'Claude Code', where: 'In a terminal.', code }
}

function cursor({ oauth }: Connection, url: string): ClientSnippet {
  const server = oauth ? { url } : { url, headers: { 'X-API-Key': placeholder } }
  const code = json({ mcpServers: { faxdeck: server } })
  return { key: 'cursor', label: 'Cursor', where: 'In ~/.cursor/mcp.json.', code }
}

function vsCode({ transport, oauth }: Connection, url: string): ClientSnippet {
  const id = 'faxdeck-api-key'
  const asked = { type: 'promptString', id, description: 'Faxdeck API key', password: true }
  const server = { type: transport, url }
  const code = oauth
    ? json({ servers: { faxdeck: server } })
    : json({ inputs: [asked], servers: { faxdeck: { ...server, headers: { 'X-API-Key': `\${input:${id}}` } } } })
  return {
    key: 'vs-code',
    label: 'VS Code',
    where: 'In .vscode/mcp.json. VS Code asks for the key and stores it.',
    code,
  }
}

function others({ transport, oauth }: Connection, url: string): ClientSnippet {
  const server = { type: transport, url }
  const code = json({ mcpServers: { faxdeck: oauth ? server : { ...server, headers: { 'X-API-Key': placeholder } } } })
  return { key: 'others', label: 'Other', where: 'In the file where the client lists its MCP servers.', code }
}

/** How clients are set up for this gateway, over the network. */
function clientSnippets(connection: Connection): ClientSnippet[] {
  const url = connection.origin + connection.path
  return [claudeCode, cursor, vsCode, others].map((write) => write(connection, url))
}

/** How a client starts a process that talks to this gateway: for those that know no address. */
function stdioSnippet(origin: string): string {
  const env = { FAXDECK_URL: origin, FAXDECK_API_KEY: placeholder }
  return json({ mcpServers: { faxdeck: { command: 'faxdeck', args: ['mcp'], env } } })
}

/** What is to be pasted into an assistant, with the address of this gateway. */
export function Clients() {
  const { config, canGo, go } = useSession()
  const { mcp } = config
  const transport = mcp.sse_enabled && !mcp.http_enabled ? 'sse' : 'http'
  const path = transport === 'sse' ? mcp.sse_path : mcp.http_path
  const snippets = clientSnippets({ origin: gatewayAddress, transport, path, oauth: mcp.require_oauth })
  const [chosen, choose] = useState('claude-code')
  const snippet = snippets.find(({ key }) => key === chosen)
  const isOff = !mcp.sse_enabled && !mcp.http_enabled
  return (
    <Panel aria-labelledby="mcp-clients">
      <h2 id="mcp-clients">Client configuration</h2>
      {isOff && <Note>Both transports are off. Turn one on first.</Note>}
      {mcp.require_oauth ? (
        <p className={styles.quiet}>The client signs in through your OAuth issuer when it first connects.</p>
      ) : (
        <p className={styles.quiet}>
          Replace YOUR_API_KEY with a key for this assistant. Its scopes decide what the assistant can do.
        </p>
      )}
      {canGo('settings/keys') && !mcp.require_oauth && (
        <div>
          <Button onClick={() => go('settings/keys', { open: 'new' })}>Create an API key</Button>
        </div>
      )}
      <Views label="Client" tabs={snippets} current={chosen} onGo={choose} />
      {snippet && <CodeBlock title={snippet.where} code={snippet.code} what={`configuration for ${snippet.label}`} />}
      <h3>Over stdio</h3>
      <Note tone="warn">
        The stdio transport is discouraged for HIPAA. The key is stored in a file on the assistant’s machine, where
        anything running under the same account can read it. Use HTTP if you can.
      </Note>
      <CodeBlock
        title="For clients that can only start programs, such as Claude Desktop. Requires the faxdeck command."
        code={stdioSnippet(gatewayAddress)}
        what="configuration over stdio"
      />
    </Panel>
  )
}
