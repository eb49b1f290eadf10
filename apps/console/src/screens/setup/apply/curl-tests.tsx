import type { ReplyOf, Routes } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyButton } from '../../../ui/control/copy-button.tsx'
import { Views } from '../../../ui/layout/tabs.tsx'
import { curlJson, curlMultipart, curlTestOf } from './curl.ts'
import type { Plan, ProviderEntry } from '../plan.ts'
import { callbacksQuery } from '../queries.ts'
import { PlainCode } from '../../../ui/layout/code-block.tsx'
import styles from '../setup.module.css'

const forms = [
  { key: 'application/json', label: 'JSON', write: curlJson },
  { key: 'multipart/form-data', label: 'Multipart', write: curlMultipart },
] as const

const expectations = {
  hmac: 'Expect 401, because only the provider can sign requests. It shows that the URL is reachable and protected.',
  basic:
    'Expect 200 if the URL is reachable and authentication passes, otherwise 401. Running the same test twice creates one fax.',
  internal_secret: 'Expect 401 if the secret is wrong, 400 if the file doesn’t exist, and 200 otherwise.',
  none: 'Expect 200 if the URL is reachable.',
} as const

/** The forms of a body that the address understands; both while that is not known. */
function understood(callbacks: ReplyOf<Routes['listCallbacks']>['callbacks'] | undefined, path: string | null) {
  const types = callbacks?.find(({ url }) => path !== null && url.endsWith(path))?.content_types
  return forms.filter(({ key }) => !types || types.includes(key))
}

/** Requests like the provider's own, to run from wherever the address must be reached. */
export function CurlTests({ plan, provider }: { plan: Plan; provider: ProviderEntry }) {
  const { data } = useQuery(callbacksQuery(provider.id))
  const [chosen, setChosen] = useState<(typeof forms)[number]['key']>('application/json')
  const { webhook_path: path, inbound_verification: verification } = provider.traits
  const offered = understood(data?.callbacks, path)
  const test = curlTestOf(plan, location.origin)
  const form = offered.find(({ key }) => key === chosen) ?? offered[0]
  if (!test || !form) return null
  const command = form.write(test)
  return (
    <div className={styles.part}>
      <div className={styles.row}>
        <h4>Test with curl</h4>
        <Views label="Body" tabs={offered} current={form.key} onGo={setChosen} />
        <CopyButton text={command} label="Copy curl" what={`with ${form.label}`} />
      </div>
      <PlainCode aria-label={`curl with ${form.label}`}>{command}</PlainCode>
      <p className={styles.quiet}>{expectations[verification]}</p>
    </div>
  )
}
