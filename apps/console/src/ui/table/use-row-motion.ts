import { type RefObject, useLayoutEffect, useRef } from 'react'

/** More rows than these do not leave by an act: another list is shown. */
const few = 5
const glide = { duration: 150, easing: 'ease-out' }

/** The ids that stayed, by how many places they moved up; nothing where others came, or another list is shown. */
export function movedUp(before: readonly string[], now: readonly string[]): ReadonlyMap<string, number> {
  const gone = before.length - now.length
  if (gone <= 0 || gone > few) return new Map()
  const places = new Map(before.map((id, at) => [id, at]))
  const moves = now.map((id, at): [string, number] => [id, (places.get(id) ?? -1) - at])
  return new Map(moves.every(([, by]) => by >= 0) ? moves.filter(([, by]) => by > 0) : [])
}

/**
 * Lets rows glide to their places when one above them leaves, so that it is seen which one did.
 * @param inside what holds the rows
 * @param rem how high a row is, in root text sizes
 */
export function useRowMotion(inside: RefObject<HTMLElement | null>, ids: readonly string[], rem: number): void {
  const before = useRef(ids)
  useLayoutEffect(() => {
    const moves = movedUp(before.current, ids)
    before.current = ids
    if (moves.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const row of inside.current?.querySelectorAll<HTMLElement>('[aria-rowindex]') ?? []) {
      const by = moves.get(ids[Number(row.getAttribute('aria-rowindex')) - 2] ?? '')
      if (by) row.animate([{ translate: `0 ${by * rem}rem` }, { translate: '0 0' }], glide)
    }
  }, [inside, ids, rem])
}
