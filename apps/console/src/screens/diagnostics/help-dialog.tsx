import { useQuery } from '@tanstack/react-query'
import { useSession } from '../../session/session.ts'
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
    <Dialog title="About diagnostics" reads onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className={form.form}>
        <p>
          A run checks everything the gateway depends on with real calls. It signs in to the provider, writes and
          removes a document, and calls the public address. It sends no fax and changes no setting.
        </p>
        <p>
          An error means that faxes can’t be sent, received or stored, or that stored data was lost or changed. A
          warning is less urgent, but should be fixed. Each finding says what to do and links to its setting.
        </p>
        <p>The built-in tests send a document like any other fax. When the test line is off, they make real calls.</p>
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
