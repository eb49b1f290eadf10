import { useState } from 'react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Views } from '../../ui/tabs.tsx'
import { curlJson, curlMultipart, curlTestOf } from './curl.ts'
import type { Plan, ProviderEntry } from './plan.ts'
import styles from './setup.module.css'

const forms = [
  { key: 'json', label: 'JSON', write: curlJson },
  { key: 'multipart', label: 'Multipart', write: curlMultipart },
] as const

/** What the answer to the test means. */
function expectation({ name, traits }: ProviderEntry): string {
  if (traits.inbound_verification === 'hmac') {
    return `Faxdeck must answer 401, because only ${name} can sign: that shows that the address is reached and guarded.`
  }
  return 'Faxdeck answers 200 when the address is reached and the proof is right, 401 when it is not. The same test twice is one fax.'
}

/** Requests like the provider's own, to run from wherever the address must be reached. */
export function CurlTests({ plan, provider }: { plan: Plan; provider: ProviderEntry }) {
  const [shown, setShown] = useState<(typeof forms)[number]['key']>('json')
  const test = curlTestOf(plan, location.origin)
  const form = forms.find(({ key }) => key === shown)
  if (!test || !form) return null
  const command = form.write(test)
  return (
    <div className={styles.part}>
      <div className={styles.row}>
        <h4>Test with curl</h4>
        <Views label="Body" tabs={forms} current={shown} onGo={setShown} />
        <CopyButton text={command} label="Copy curl" what={`with ${form.label}`} />
      </div>
      <pre className={styles.code} tabIndex={0} aria-label={`curl with ${form.label}`}>
        {command}
      </pre>
      <p className={styles.quiet}>{expectation(provider)}</p>
    </div>
  )
}
