import type { Broadcast } from '@faxdeck/contract'
import { IconBan, IconCheck, IconHourglass, IconProgress } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { stateWord } from './broadcast-words.ts'

const looks = {
  sending: { tone: 'info', icon: IconProgress },
  paused: { tone: 'warn', icon: IconHourglass },
  cancelling: { tone: 'warn', icon: IconBan },
  finished: { tone: 'plain', icon: IconCheck },
} as const

/** How a broadcast stands: icon, word and color. */
export function StateChip({ broadcast }: { broadcast: Broadcast }) {
  const { state, cancelled_at: cancelled } = broadcast
  const { tone, icon } = looks[state]
  return (
    <Chip tone={tone} icon={cancelled === null ? icon : IconBan} title={state}>
      {stateWord(broadcast)}
    </Chip>
  )
}
