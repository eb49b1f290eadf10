import type { DescribedSetting } from '@faxdeck/contract'
import { accountSettings, plannedValue, type Plan, type ProviderEntry } from '../plan.ts'

/** A request like those the provider makes, and how it proves itself. */
export interface CurlTest {
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
