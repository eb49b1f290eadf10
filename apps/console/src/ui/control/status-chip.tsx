import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import {
  IconAlert,
  IconBan,
  IconCheck,
  IconClock,
  IconHand,
  IconHourglass,
  IconInfo,
  IconProgress,
  IconQuestion,
  IconScripts,
  IconX,
} from './icons.ts'
import { faxState, type FaxState, retryWords } from '../words/fax-words.ts'
import { shortTime } from '../time.tsx'
import styles from './status-chip.module.css'

type Tone = 'ok' | 'bad' | 'info' | 'warn' | 'plain'

interface ChipProps {
  tone: Tone
  icon?: Icon
  /** A tooltip. */
  title?: string | undefined
  children: ReactNode
}

/** A small colored word. The color never says anything that the word and the icon do not. */
export function Chip({ tone, icon: Shape, title, children }: ChipProps) {
  return (
    <span className={styles.chip} data-tone={tone} title={title}>
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
  Stopped: { tone: 'bad', icon: IconAlert },
  Paused: { tone: 'warn', icon: IconHourglass },
  Held: { tone: 'warn', icon: IconHand },
  Unconfirmed: { tone: 'warn', icon: IconQuestion },
  'Needs a look': { tone: 'warn', icon: IconQuestion },
  Partial: { tone: 'warn', icon: IconAlert },
  Duplicate: { tone: 'warn', icon: IconAlert },
  Late: { tone: 'warn', icon: IconClock },
  'No answer': { tone: 'plain', icon: IconQuestion },
  Disabled: { tone: 'plain', icon: IconBan },
} as const satisfies Record<string, { tone: Tone; icon: Icon }>

/** The states that have a look of their own. */
export type KnownStatus = keyof typeof looks

const isKnown = (status: string): status is KnownStatus => Object.hasOwn(looks, status)

/** The states of the wire in words; every other state is a word already. */
const words: Readonly<Record<string, string>> = {
  queued: 'Queued',
  in_progress: 'In progress',
  sending: 'Sending',
  processing: 'Processing',
  waiting: 'Waiting',
  SUCCESS: 'Delivered',
  success: 'Success',
  completed: 'Completed',
  received: 'Received',
  FAILED: 'Failed',
  failed: 'Failed',
  error: 'Error',
}

/** The end of a test looks unlike that of a fax that arrived. */
const tested = { tone: 'plain', icon: IconScripts } as const

/**
 * The state of a fax, a provider or a switch: icon, word and color. The tooltip names the state as the API does; one
 * that is not known is shown as it is.
 *
 *     <StatusChip status={health.backend_healthy ? 'Healthy' : 'Unhealthy'} />
 *
 * @param test a fax on the test line, which is not sent
 */
export function StatusChip({ status, test = false }: { status: string; test?: boolean }) {
  const known = isKnown(status) ? looks[status] : { tone: 'plain' as const, icon: IconInfo }
  const look = test && known === delivered ? tested : known
  // The test line delivers nothing: its good end has a word of its own.
  if (look === tested) {
    return (
      <Chip tone={look.tone} icon={look.icon} title={status}>
        Test passed
      </Chip>
    )
  }
  const word = words[status] ?? status
  return (
    <Chip tone={look.tone} icon={look.icon} title={word === status ? undefined : status}>
      {word}
      {test && <span className={styles.test}>test</span>}
    </Chip>
  )
}

/** The state of a fax that was sent, or that only the test line took, as `faxState` names it. */
export function FaxStatusChip({ fax }: { fax: FaxState }) {
  const { test = false, next_try_at: next } = fax
  const state = faxState(fax)
  if (state !== 'retry' || !next) return <StatusChip status={state} test={test} />
  return (
    <Chip tone="warn" icon={IconHourglass} title={`in_progress: the next attempt is due at ${shortTime(next)}`}>
      {retryWords(next)}
      {test && <span className={styles.test}>test</span>}
    </Chip>
  )
}
