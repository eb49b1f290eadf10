import type { Answered } from '../http/ask.ts'
import { readFields } from '../http/read-fields.ts'
import type { Finding } from '../provider.ts'
import type { Unreachable } from '../http/reason.ts'

/** What asking a provider about an account has shown. Only `accepted` and `refused` are about the credentials. */
export type Verdict =
  | { kind: 'accepted' }
  | { kind: 'refused' | 'strange' | 'faulty' | 'busy'; detail: string }
  | { kind: 'unreachable'; why: Unreachable; detail: string }

interface Expectation {
  /** Who was asked, for people. */
  name: string
  /** Whether the body of a success is the provider's own answer: yes, a refusal in spite of the status, or neither. */
  accepts: (body: unknown) => boolean | undefined
  /** Statuses by which this provider refuses the account, beside 401 and 403. */
  refusals?: readonly number[]
}

/** Whether a JSON object came, for a provider whose answers have nothing that is always there. */
export const anyObject = (body: unknown): true | undefined => (readFields(body) ? true : undefined)

/** Judges what came back when an account was asked about. Silence and foreign answers never count as a refusal. */
export function verdictOf(answered: Answered, { name, accepts, refusals = [] }: Expectation): Verdict {
  if ('problem' in answered) {
    const { problem: detail, why } = answered
    return why === 'unsayable' ? { kind: 'refused', detail } : { kind: 'unreachable', why, detail }
  }
  const { status, isPage, leadsTo, body } = answered
  const page = isPage ? ' and a web page' : ''
  if (status >= 500) return { kind: 'faulty', detail: `${name} answered with the status ${status}${page}.` }
  if (leadsTo !== undefined) {
    return { kind: 'strange', detail: `The answer was a redirect (${status}) to ${leadsTo}, which is not followed.` }
  }
  if (status === 401 || (status === 403 && !isPage)) {
    return { kind: 'refused', detail: `${name} refused the credentials (${status}).` }
  }
  if (status === 429) return { kind: 'busy', detail: `${name} received too many requests (429).` }
  if (refusals.includes(status) && !isPage) {
    return { kind: 'refused', detail: `${name} answered with the status ${status}.` }
  }
  const verdict = status >= 200 && status < 300 && !isPage ? accepts(body) : undefined
  if (verdict === undefined) {
    const came = isPage ? 'a web page' : readFields(body) ? 'something else' : 'no JSON'
    return { kind: 'strange', detail: `The answer was ${came} with the status ${status}.` }
  }
  return verdict
    ? { kind: 'accepted' }
    : { kind: 'refused', detail: `${name} answered that the account cannot be used.` }
}

const hints: Readonly<Record<Unreachable, (name: string) => string>> = {
  unknown_host: (name) =>
    `The host name of ${name} does not exist: check the address in the settings, then the DNS of this machine.`,
  lookup_failed: (name) =>
    `The host name of ${name} cannot be looked up: check that the DNS server of this machine answers.`,
  refused: (name) =>
    `The connection to ${name} is refused: check the address and port in the settings, and the firewalls on the way.`,
  no_route: (name) => `This machine has no route to ${name}: check its network connection.`,
  no_connection: (name) =>
    `No connection to ${name} can be opened, as when a firewall drops the packets: allow this machine to connect to it.`,
  silent: (name) =>
    `${name} does not answer in time: check its status page, and proxies and firewalls on the way. The credentials could not be checked.`,
  cut: (name) =>
    `The connection to ${name} is cut before an answer arrives: check the address, and proxies and firewalls on the way.`,
  cert_date: (name) =>
    `The certificate at the address of ${name} has expired or is not valid yet: check the clock of this machine, then the address.`,
  cert_untrusted: (name) =>
    `This machine does not trust the certificate at the address of ${name}: a proxy that inspects traffic is the usual reason. Exempt ${name} from inspection, or name the proxy's authority in NODE_EXTRA_CA_CERTS.`,
  cert_name: (name) =>
    `The certificate at the address of ${name} is for another name: check the address, and that no proxy answers in its place.`,
  tls: (name) => `What answers at the address of ${name} does not speak TLS: check the address and port.`,
  blocked: (name) =>
    `The host name of ${name} leads to an address inside this network, where no credentials are sent: check the address and the DNS of this machine.`,
  other: (name) => `The connection to ${name} failed: check the network of this machine, and try again.`,
}

const others = {
  strange: (name: string) =>
    `What answers at the address of ${name} is not ${name}: check the address in the settings, and whether a proxy or the sign-in page of a network answers in its place.`,
  faulty: (name: string) =>
    `${name} reports an internal error: check its status page and wait. The credentials could not be checked.`,
  busy: (name: string) =>
    `${name} received too many requests to check the credentials: wait a minute, then run this again.`,
}

/** What a person should do about a verdict that says nothing of the account. @param setting the provider's address */
function insteadOf(verdict: Verdict, name: string, setting: string | undefined): Finding['instead'] {
  if (verdict.kind === 'unreachable') return { hint: hints[verdict.why](name), ...(setting && { setting }) }
  if (verdict.kind === 'strange') return { hint: others.strange(name), ...(setting && { setting }) }
  if (verdict.kind === 'faulty') return { hint: others.faulty(name) }
  return verdict.kind === 'busy' ? { hint: others.busy(name), severity: 'warning' } : undefined
}

/**
 * The finding of a check whose own hint speaks of refused credentials; whatever else was seen says itself.
 * @param setting names the provider's address
 */
export function accountFinding(verdict: Verdict, name: string, setting?: string): Finding {
  if (verdict.kind === 'accepted') return { passed: true }
  const instead = insteadOf(verdict, name, setting)
  return { passed: false, detail: verdict.detail, ...(instead && { instead }) }
}
