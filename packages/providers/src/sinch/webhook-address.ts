import type { ProviderSettings } from '@faxdeck/provider-kit'

/**
 * An address of ours with the user and the password that Sinch is to prove itself with; Sinch does not sign.
 * Undefined while no password is set: what came to such an address could be a forgery.
 */
export function withCredentials(address: string, settings: ProviderSettings): string | undefined {
  const { sinch_inbound_basic_user: user, sinch_inbound_basic_pass: password } = settings
  if (!user || !password) return undefined
  const url = new URL(address)
  url.username = encodeURIComponent(String(user))
  url.password = encodeURIComponent(String(password))
  return url.href
}
