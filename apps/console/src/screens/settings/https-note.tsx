import { Button } from '../../ui/button.tsx'
import { httpsWarning } from '../../ui/https-warning.ts'
import { Note } from '../../ui/note.tsx'
import { valueOf, type Form } from './form.ts'
import { reveal } from './reveal.ts'
import styles from './settings.module.css'

/** Whether a provider elsewhere would send or receive for us. */
function usesCloud(form: Form): boolean {
  const chosen = (key: string) => String(valueOf(form, key) ?? valueOf(form, 'backend'))
  const isCloud = (id: string) => form.providers?.registry[id]?.kind === 'cloud'
  const sends = valueOf(form, 'fax_disabled') !== true && isCloud(chosen('outbound_backend'))
  return sends || (valueOf(form, 'inbound_enabled') === true && isCloud(chosen('inbound_backend')))
}

/** The warning about faxes in the clear, for what is entered. */
export function HttpsNote({ form }: { form: Form }) {
  const url = String(valueOf(form, 'public_api_url') ?? '')
  const warning = httpsWarning({
    enforced: valueOf(form, 'enforce_public_https') === true,
    url,
    cloud: usesCloud(form),
  })
  return (
    <div role="status">
      {warning && (
        <Note tone="warn">
          <p>{warning}</p>
          <div className={styles.buttons}>
            <Button onClick={() => reveal('public_api_url')}>Go to the Public API URL</Button>
          </div>
        </Note>
      )}
    </div>
  )
}
