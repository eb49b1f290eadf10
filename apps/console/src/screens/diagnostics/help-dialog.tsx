import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../shell/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { wordsFor } from '../../ui/words/check-words.ts'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import form from '../../ui/form/fields.module.css'
import styles from './diagnostics.module.css'
import { anchorsQuery } from './queries.ts'

const topics = ['diagnostics', 'setup', 'security', 'inbound', 'storage']

/** What the checks mean, and where the documentation says more. */
export function HelpDialog({ onClose }: { onClose: () => void }) {
  const { config } = useSession()
  const base = config.branding.docs_base.replace(/\/$/, '')
  const { data: anchors = {} } = useQuery(anchorsQuery(base))
  const guides = Object.fromEntries(topics.map((topic) => [topic, `${base}/${topic}/`]))
  return (
    <Dialog title="About diagnostics" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className={form.form}>
        <p>
          A run looks at everything the gateway depends on, and really asks: the provider is signed in to, documents are
          written and removed, the public address is called. Nothing is sent, and nothing is changed.
        </p>
        <p>
          An error keeps faxes from being sent, received or kept, or means that something kept was lost or changed. A
          warning can wait, but not forever. Every finding says what to do and leads to its setting.
        </p>
        <p>The built-in tests send a document the way every fax goes. Without the test line they are real calls.</p>
        <ul className={styles.links} aria-label="Documentation">
          {Object.entries({ ...guides, ...anchors }).map(([topic, address]) => (
            <li key={topic}>
              <a href={address} target="_blank" rel="noreferrer">
                {wordsFor(topic.replace(/^diagnostics-/, '').replaceAll('-', '_'))}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}
