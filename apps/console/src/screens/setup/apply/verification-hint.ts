import type { ProviderEntry } from '../plan.ts'

/** How a provider proves that a received fax comes from it, and what that asks of a person. */
export function verificationHint({ kind, name, traits }: ProviderEntry): string {
  if (kind === 'managed') return 'Faxes arrive as calls to Faxdeck’s own Asterisk. There is no callback to register.'
  const { inbound_verification: verification, signature_header: header, webhook_path: path } = traits
  switch (verification) {
    case 'hmac':
      return `Verified by HMAC signature: ${name} signs its callbacks (header ${header}), and Faxdeck refuses callbacks without a valid signature.`
    case 'basic':
      return `Verified by Basic auth: ${name} authenticates with a user name and password that you choose and include in the URL you register.`
    case 'internal_secret':
      // The result hook of a switch takes no received faxes.
      if (path?.includes('outbound'))
        return 'Received faxes reach Faxdeck through the event socket and the folder that it shares with your switch. There is no callback to register.'
      return `Verified by an internal secret: your switch hands received faxes to the private endpoint ${path} with the secret in the header ${header}. Don’t expose that endpoint to the internet.`
    case 'none':
      return `${name} does not authenticate its callbacks.`
  }
}
