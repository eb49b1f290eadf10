import type { TunnelStatus } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { gatewayNow } from '../../../api/live/gateway-clock.ts'
import { useAction } from '../../../api/use-action.ts'
import { Button, CopyButton } from '../../../ui/control/button.tsx'
import { IconAlert, IconBan, IconCheck, IconHourglass } from '../../../ui/control/icons.ts'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { SelectField } from '../../../ui/form/fields.tsx'
import { FactList } from '../../../ui/layout/fact-list.tsx'
import { ErrorNotice, Skeleton } from '../../../ui/layout/states.tsx'
import { Time } from '../../../ui/time.tsx'
import { TitledSection } from '../titled-section.tsx'
import { configureTunnel, makePairingCode, testTunnel, tunnelQuery } from './queries.ts'
import { tunnelChoices, tunnelNames } from './tunnel-names.ts'
import styles from './tunnel.module.css'

/** The VPN Tunnel section of the settings: what can be seen of a tunnel beside the gateway, and pairing. */
export function TunnelSection() {
  const { data: status, error, isFetching, refetch } = useQuery(tunnelQuery)
  return (
    <TitledSection name="tunnel" title="VPN Tunnel">
      <p className={styles.notice}>
        Tunnel management is not active in this build: Faxdeck neither starts nor stops a tunnel. Run one separately,
        and this section shows its status as seen from this machine.
      </p>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!status && !error && <Skeleton lines={3} height={2} />}
      {status && <Status status={status} />}
      {status && <TunnelChooser key={`${status.enabled} ${status.provider}`} status={status} />}
      <TunnelTest />
      <PairingCode />
    </TitledSection>
  )
}

const looks = {
  disabled: { tone: 'plain', icon: IconBan, word: 'Disabled' },
  error: { tone: 'bad', icon: IconAlert, word: 'Not detected' },
  connecting: { tone: 'warn', icon: IconHourglass, word: 'Interface up' },
  connected: { tone: 'ok', icon: undefined, word: 'Connected' },
} as const

function Status({ status }: { status: TunnelStatus }) {
  const { tone, icon, word } = looks[status.status]
  return (
    <div className={styles.status}>
      <div className={styles.row} role="status">
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
        {status.error_message && <span>{status.error_message}</span>}
      </div>
      <FactList
        look="tiles"
        facts={[
          ['Type', tunnelNames[status.provider]],
          ['Local address', status.local_ip ?? '—'],
          ['Public address', status.public_url ?? '—'],
          ['Checked', <Time key="at" at={status.last_checked} seconds />],
        ]}
      />
    </div>
  )
}

/** Which kind of tunnel somebody runs here; kept, so that the status looks for the right one. */
function TunnelChooser({ status }: { status: TunnelStatus }) {
  const present = status.enabled ? status.provider : 'none'
  const [chosen, choose] = useState(present)
  const save = useAction(configureTunnel, { refreshes: [tunnelQuery.queryKey], toast: 'Tunnel saved' })
  return (
    <>
      <div className={styles.choose}>
        <SelectField
          label="Tunnel"
          help="The tunnel that runs on this machine."
          value={chosen}
          choices={tunnelChoices}
          onChange={choose}
        />
        <Button
          busy={save.busy}
          disabled={chosen === present}
          onClick={() => save.run({ enabled: chosen !== 'none', provider: chosen })}
        >
          Save tunnel
        </Button>
      </div>
      {save.error && <ErrorNotice error={save.error} />}
    </>
  )
}

/** Whether the gateway answers under its public address, seen from inside. */
function TunnelTest() {
  const [seen, setSeen] = useState<Awaited<ReturnType<typeof testTunnel>>>()
  const test = useAction(testTunnel, { onDone: setSeen })
  return (
    <div className={styles.part}>
      <h3>Public address</h3>
      <div className={styles.row}>
        <Button action={test}>Test</Button>
        <span role="status" className={styles.row}>
          {seen && !test.busy && (
            <>
              <Chip tone={seen.ok ? 'ok' : 'bad'} icon={seen.ok ? IconCheck : IconAlert}>
                {seen.ok ? 'Reachable' : 'Not reachable'}
              </Chip>
              <span title={seen.target}>{seen.message}</span>
            </>
          )}
        </span>
      </div>
      {test.error && <ErrorNotice error={test.error} />}
    </div>
  )
}

interface Made {
  code: string
  /** Milliseconds since 1970. */
  endsAt: number
}

/** A code that one device exchanges for a key of its own. */
function PairingCode() {
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
        <Button action={make}>{made ? 'Create another code' : 'Create a pairing code'}</Button>
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
