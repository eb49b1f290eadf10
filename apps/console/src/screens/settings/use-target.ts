import { useEffect, useRef } from 'react'
import { useSession } from '../../session/session.ts'
import type { Visit } from '../../session/visit.ts'
import type { Form } from './form.ts'
import { reveal } from './reveal.ts'
import { elsewhere, ownWay } from './sections/sections.ts'

/** Of this screen, in the navigation. */
export const settingsPlace = 'settings/settings'

/** Brings the setting or section that the person was sent to into view, once the settings are there. */
export function useTarget(rows: Form['rows']): void {
  const { visit, go } = useSession()
  const shown = useRef<Visit>(undefined)
  useEffect(() => {
    const { open } = visit
    const isHere = visit.place === settingsPlace && open !== undefined && rows.length > 0
    if (!isHere || shown.current === visit) return
    shown.current = visit
    if (open.startsWith('page-')) {
      scrollTo(0, 0)
      return
    }
    const row = rows.find(({ key }) => key === open)
    const placeOf = (table: Readonly<Record<string, string>>) => (row ? table[row.group] : undefined)
    const other = placeOf(elsewhere)
    // A setting that is of no use now is not drawn: the one that decides about it is.
    const instead = row?.only_when?.key ?? placeOf(ownWay)
    if (other !== undefined) go(other, { open, replace: true })
    else if (!reveal(open) && instead !== undefined) reveal(instead)
  }, [visit, rows, go])
}
