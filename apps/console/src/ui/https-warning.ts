interface Facts {
  /** ENFORCE_PUBLIC_HTTPS. */
  enforced: boolean
  /** PUBLIC_API_URL. */
  url: string
  /** Whether a provider elsewhere fetches documents from this gateway or calls it. */
  cloud: boolean
}

const warning =
  'ENFORCE_PUBLIC_HTTPS is enabled, but PUBLIC_API_URL is not HTTPS. Use an HTTPS URL or disable for non-PHI dev.'
const loopback = ['localhost', '127.0.0.1', '[::1]']

/** What is said while documents would travel in the clear. Plain HTTP on this very machine is let pass. */
export function httpsWarning({ enforced, url, cloud }: Facts): string | undefined {
  if (!enforced || !cloud) return undefined
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  return protocol === 'https:' || loopback.includes(hostname) ? undefined : warning
}
