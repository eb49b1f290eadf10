import { useState } from 'react'
import { gatewayAddress } from '../../api/gateway-root.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { CodeBlock } from '../../ui/layout/code-block.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import { clientSnippets, stdioSnippet } from './client-snippets.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import styles from './mcp.module.css'

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
