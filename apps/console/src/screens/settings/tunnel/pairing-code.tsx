import { useEffect, useState } from 'react'
import { gatewayNow } from '../../../api/live/gateway-clock.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { CopyButton } from '../../../ui/control/copy-button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { makePairingCode } from './queries.ts'
import styles from './tunnel.module.css'

interface Made {
  code: string
  /** Milliseconds since 1970. */
  endsAt: number
}

/** A code that one device exchanges for a key of its own. */
export function PairingCode() {
  const [made, setMade] = useState<Made>()
  const make = useAction(makePairingCode, {
    onDone: ({ code, expires_at }) => setMade({ code, endsAt: Date.parse(expires_at) }),
  })
  return (
    <div className={styles.part}>
      <h3>Pairing code</h3>
      <p className={styles.quiet}>
        A device sends the code once to <code>POST /mobile/pair</code> and gets its own API key. The key can send and
        read faxes, but not administer. A new code replaces the previous one.
      </p>
      {made && <LiveCode key={made.code} made={made} />}
      <div className={styles.row}>
        <Button busy={make.busy} onClick={() => make.run(undefined)}>
          {made ? 'Create another code' : 'Create a pairing code'}
        </Button>
      </div>
      {make.error && <ErrorNotice error={make.error} />}
    </div>
  )
}

function useSecondsUntil(endsAt: number): number {
  const [now, setNow] = useState(gatewayNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(gatewayNow()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((endsAt - now) / 1_000))
}

function LiveCode({ made: { code, endsAt } }: { made: Made }) {
  const left = useSecondsUntil(endsAt)
  const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
  if (left === 0) return <p role="status">The code has expired.</p>
  return (
    <div className={styles.row}>
      <output className={styles.code} aria-label="Pairing code">
        {code}
      </output>
      <CopyButton text={code} what="pairing code" />
      <span role="timer">Valid for {clock}</span>
    </div>
  )
}
