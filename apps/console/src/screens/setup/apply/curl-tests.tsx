import type { DescribedSetting, ReplyOf, Routes } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CopyButton } from '../../../ui/control/button.tsx'
import { PlainCode } from '../../../ui/layout/code-block.tsx'
import { Views } from '../../../ui/layout/tabs.tsx'
import { accountSettings, type Plan, plannedValue, type ProviderEntry } from '../plan.ts'
import { callbacksQuery } from '../queries.ts'
import styles from '../setup.module.css'

/** A request like those the provider makes, and how it proves itself. */
interface CurlTest {
  url: string
  /** Arguments that carry the proof; empty where only the provider can give it. */
  proof: readonly string[]
  payload: Readonly<Record<string, unknown>>
}

const inQuotes = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
/** The shell puts the variable's value in. */
const variable = (setting: DescribedSetting | undefined, fallback: string) => `$${setting?.env ?? fallback}`

const userOf = (user: string) => (/^[\w.@-]+$/.test(user) ? `"${user}:` : `${inQuotes(`${user}:`)}"`)

/** The proof as arguments of curl: secrets stand as the shell's variables of their environment names. */
function proofOf(plan: Plan, { traits }: ProviderEntry, account: readonly DescribedSetting[]): string[] {
  const receiving = account.filter(({ group }) => group === 'inbound')
  const secret = receiving.find(({ type }) => type === 'secret')
  if (traits.inbound_verification === 'internal_secret') {
    return [`-H "${traits.signature_header ?? 'X-Internal-Secret'}: ${variable(secret, 'INTERNAL_SECRET')}"`]
  }
  if (traits.inbound_verification !== 'basic') return []
  const user = receiving.find(({ type }) => type === 'text')
  const name = user ? plannedValue(plan, plan.changes, user.key) : null
  return [`-u ${userOf(String(name ?? 'user'))}${variable(secret, 'WEBHOOK_PASSWORD')}"`]
}

/**
 * The request to try the way of received faxes with; undefined where the receiving provider posts nothing.
 * @param here where the console itself is: internal addresses answer only near it
 */
export function curlTestOf(plan: Plan, here: string): CurlTest | undefined {
  const { receiver } = plan
  if (!receiver) return undefined
  const { webhook_path: path, sample_payload: payload, inbound_verification: verification } = receiver.traits
  if (path === null || payload === null) return undefined
  const publicUrl = String(plannedValue(plan, plan.changes, 'public_api_url') ?? '')
  const base = verification === 'internal_secret' ? here : publicUrl || here
  return {
    url: base.replace(/\/+$/, '') + path,
    proof: proofOf(plan, receiver, accountSettings(plan, receiver)),
    payload,
  }
}

const joined = (parts: readonly string[]) => parts.join(' \\\n  ')

export function curlJson({ url, proof, payload }: CurlTest): string {
  const body = inQuotes(JSON.stringify(payload))
  return joined([`curl -i ${inQuotes(url)}`, ...proof, `-H 'Content-Type: application/json'`, `-d ${body}`])
}

/** The same as a form; the document goes along as the file test.pdf of the current folder. */
export function curlMultipart({ url, proof, payload }: CurlTest): string {
  const fields = Object.entries(payload).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `--form-string ${inQuotes(`${name}=${text}`)}`
  })
  return joined([`curl -i ${inQuotes(url)}`, ...proof, ...fields, `-F 'file=@test.pdf;type=application/pdf'`])
}

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
