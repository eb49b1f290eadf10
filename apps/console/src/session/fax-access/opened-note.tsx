import type { Opening } from '@faxdeck/contract'
import { useEffect, useEffectEvent } from 'react'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { Note } from '../../ui/layout/states.tsx'
import { shortTime } from '../../ui/time.tsx'
import { useSession } from '../session.ts'
import { mayBreakGlass } from './open-fax.ts'

/** Until when the person at the console has a fax open with a reason; undefined when they have not. */
export function useOwnOpening(openings: readonly Opening[] | undefined): string | undefined {
  const session = useSession()
  if (!mayBreakGlass(session)) return undefined
  const own = openings?.filter(({ person_id: id }) => id === session.person?.id).map(({ until }) => until)
  const last = own?.toSorted().at(-1)
  return last !== undefined && Date.parse(last) > gatewayNow() ? last : undefined
}

/** Says that a fax is open with a reason, and until when. @param onOver when that time is over */
export function OpenedNote({ until, onOver }: { until: string; onOver: () => void }) {
  const over = useEffectEvent(onOver)
  useEffect(() => {
    // A moment later, so that the gateway's clock has passed it as well.
    const timer = setTimeout(() => over(), Math.max(0, Date.parse(until) - gatewayNow()) + 1000)
    return () => clearTimeout(timer)
  }, [until])
  return (
    <div role="status">
      <Note tone="warn">Opened with a reason until {shortTime(until)}. This access is recorded.</Note>
    </div>
  )
}
