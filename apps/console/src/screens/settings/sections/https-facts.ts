import type { HttpsFacts } from '../../../ui/layout/https-note.tsx'
import { valueOf, type Form } from '../form.ts'

/** Whether a provider elsewhere would send or receive for us. */
function usesCloud(form: Form): boolean {
  const chosen = (key: string) => String(valueOf(form, key) ?? valueOf(form, 'backend'))
  const isCloud = (id: string) => form.providers?.registry[id]?.kind === 'cloud'
  const sends = valueOf(form, 'fax_disabled') !== true && isCloud(chosen('outbound_backend'))
  return sends || (valueOf(form, 'inbound_enabled') === true && isCloud(chosen('inbound_backend')))
}

/** Whether faxes would travel in the clear, by what is entered. */
export const httpsFacts = (form: Form): HttpsFacts => ({
  enforced: valueOf(form, 'enforce_public_https') === true,
  url: String(valueOf(form, 'public_api_url') ?? ''),
  cloud: usesCloud(form),
})
