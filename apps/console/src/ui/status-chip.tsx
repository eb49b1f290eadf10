import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  IconAlert,
  IconBan,
  IconCheck,
  IconClock,
  IconHourglass,
  IconInfo,
  IconProgress,
  IconQuestion,
  IconX,
} from './icons.ts'
import styles from './status-chip.module.css'

export type Tone = 'ok' | 'bad' | 'info' | 'warn' | 'plain'

interface ChipProps {
  tone: Tone
  icon?: Icon
  children: ReactNode
}

/** A small coloured word. The colour never says anything that the word and the icon do not. */
export function Chip({ tone, icon: Shape, children }: ChipProps) {
  return (
    <span className={styles.chip} data-tone={tone}>
      {Shape && <Shape size="0.875rem" stroke={2.25} aria-hidden="true" />}
      {children}
    </span>
  )
}

const delivered = { tone: 'ok', icon: IconCheck } as const
const broken = { tone: 'bad', icon: IconX } as const
const running = { tone: 'warn', icon: IconProgress } as const

const looks = {
  queued: { tone: 'info', icon: IconClock },
  in_progress: running,
  sending: running,
  processing: running,
  waiting: { tone: 'warn', icon: IconHourglass },
  SUCCESS: delivered,
  success: delivered,
  completed: delivered,
  received: delivered,
  Healthy: delivered,
  Enabled: delivered,
  FAILED: broken,
  failed: broken,
  error: broken,
  Failed: broken,
  Unhealthy: { tone: 'bad', icon: IconAlert },
  Uncertain: { tone: 'warn', icon: IconQuestion },
  Late: { tone: 'warn', icon: IconClock },
  Disabled: { tone: 'plain', icon: IconBan },
} as const satisfies Record<string, { tone: Tone; icon: Icon }>

/** The states that have a look of their own. */
export type KnownStatus = keyof typeof looks

const isKnown = (status: string): status is KnownStatus => Object.hasOwn(looks, status)

/**
 * The state of a fax, a provider or a switch: icon, word and colour. The word is the state as the gateway names it;
 * an unknown one is shown plainly.
 *
 *     <StatusChip status={job.needs_attention ? 'Uncertain' : job.status} />
 */
export function StatusChip({ status }: { status: string }) {
  const look = isKnown(status) ? looks[status] : { tone: 'plain' as const, icon: IconInfo }
  return (
    <Chip tone={look.tone} icon={look.icon}>
      {status}
    </Chip>
  )
}
