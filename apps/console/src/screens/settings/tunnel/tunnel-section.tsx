import type { TunnelStatus } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconAlert, IconBan, IconHourglass } from '../../../ui/control/icons.ts'
import { FactList } from '../../../ui/layout/fact-list.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { Time } from '../../../ui/time.tsx'
import { TitledSection } from '../titled-section.tsx'
import { PairingCode } from './pairing-code.tsx'
import { tunnelQuery } from './queries.ts'
import { TunnelChooser } from './tunnel-chooser.tsx'
import { TunnelTest } from './tunnel-test.tsx'
import { tunnelNames } from './tunnel-names.ts'
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
