import type { ReactNode } from 'react'
import { Note } from './states.tsx'

export interface HttpsFacts {
  /** ENFORCE_PUBLIC_HTTPS. */
  enforced: boolean
  /** PUBLIC_API_URL. */
  url: string
  /** Whether a provider elsewhere fetches documents from this gateway or calls it. */
  cloud: boolean
}

const warning =
  'ENFORCE_PUBLIC_HTTPS is enabled, but PUBLIC_API_URL is not HTTPS. Use an HTTPS URL or disable for non-PHI dev.'

/** Whether a host name of an address means the machine that asks, and no other. */
export const isLoopback = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Whether documents would travel in the clear. Plain HTTP on this very machine is let pass. */
function isInTheClear({ enforced, url, cloud }: HttpsFacts): boolean {
  if (!enforced || !cloud) return false
  const { protocol, hostname } = URL.canParse(url) ? new URL(url) : { protocol: '', hostname: '' }
  return protocol !== 'https:' && !isLoopback(hostname)
}

/** The warning about faxes in the clear, for what is chosen and entered; `children` is the way to change it. */
export function HttpsNote({ facts, children }: { facts: HttpsFacts; children?: ReactNode }) {
  return (
    <div role="status">
      {isInTheClear(facts) && (
        <Note tone="warn">
          <p>{warning}</p>
          {children}
        </Note>
      )}
    </div>
  )
}
