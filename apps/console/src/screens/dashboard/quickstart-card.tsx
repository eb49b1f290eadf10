import { useState } from 'react'
import { gatewayAddress } from '../../api/gateway-root.ts'
import { Card } from '../../ui/layout/card.tsx'
import { CodeBlock } from '../../ui/layout/code-block.tsx'
import { Views } from '../../ui/layout/tabs.tsx'
import styles from './quickstart-card.module.css'
import { sdkVersion, snippetsFor, type Snippet } from './snippets.ts'
import { useWay } from './use-way.ts'

/** How a program sends a fax through this gateway. */
export function QuickstartCard() {
  const open = useWay('settings/keys')
  const baseUrl = gatewayAddress
  const snippets = snippetsFor(baseUrl)
  const [language, setLanguage] = useState<Snippet['key']>('curl')
  const snippet = snippets.find(({ key }) => key === language)
  return (
    <Card title="SDK & Quickstart" width="full" onOpen={open}>
      <dl className={styles.facts}>
        <div>
          <dt>Base URL</dt>
          <dd>
            <code>{baseUrl}</code>
          </dd>
        </div>
        <div>
          <dt>Header</dt>
          <dd>
            <code>X-API-Key: your key</code>
          </dd>
        </div>
        <div>
          <dt>SDK version</dt>
          <dd>{sdkVersion}</dd>
        </div>
        <div>
          <dt>Checksums</dt>
          <dd>
            <a href={`${baseUrl}/downloads/SHA256SUMS`}>SHA-256</a>
          </dd>
        </div>
      </dl>
      <Views label="Language" tabs={snippets} current={language} onGo={setLanguage} />
      {snippet?.blocks.map(({ title, code }) => (
        <CodeBlock key={title} title={title} code={code} what={`${snippet.label}: ${title}`} />
      ))}
    </Card>
  )
}
