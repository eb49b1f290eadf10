import { gatewayAddress } from '../../../api/gateway-root.ts'
import type { Providers } from '../../../api/overview.ts'
import { CodeBlock } from '../../../ui/layout/code-block.tsx'
import styles from '../settings.module.css'

type Snippet = Providers['registry'][string]['snippets'][number]

/** What is to be pasted into the operator's own telephone switch, with the address of this gateway filled in. */
export function Snippets({ snippets }: { snippets: readonly Snippet[] }) {
  return snippets.map(({ title, where, code }) => (
    <div key={title} className={styles.part}>
      <h3>{title}</h3>
      <p className="quiet">{where}</p>
      <CodeBlock title={title} code={code.replaceAll('{base_url}', gatewayAddress)} />
    </div>
  ))
}
