import { useRef, type MouseEvent } from 'react'

interface Chosen {
  ids: readonly string[]
  chosen: ReadonlySet<string>
  onChange: (chosen: ReadonlySet<string>) => void
}

/** Everything between two rows, both included. */
function between(ids: readonly string[], one: string, other: string): readonly string[] {
  const [from = 0, to = 0] = [ids.indexOf(one), ids.indexOf(other)].toSorted((a, b) => a - b)
  return from < 0 ? [] : ids.slice(from, to + 1)
}

/**
 * Shift and a click on a box also does to every row since the last box what it does to this one.
 * @returns the selection for a table, and what listens for clicks around it
 */
export function useRangeSelection({ ids, chosen, onChange }: Chosen) {
  const withShift = useRef(false)
  const last = useRef<string>(undefined)
  const change = (next: ReadonlySet<string>) => {
    const changed = ids.filter((id) => next.has(id) !== chosen.has(id))
    const [pressed] = changed
    if (changed.length !== 1 || pressed === undefined) {
      onChange(next)
      return
    }
    const range = withShift.current && last.current !== undefined ? between(ids, last.current, pressed) : []
    last.current = pressed
    const isChosen = next.has(pressed)
    onChange(new Set(isChosen ? [...next, ...range] : [...next].filter((id) => !range.includes(id))))
  }
  const onClickCapture = ({ shiftKey }: MouseEvent) => {
    withShift.current = shiftKey
  }
  return { selection: { chosen, onChange: change }, onClickCapture }
}
