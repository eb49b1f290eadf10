/** What is chosen after the box of a row was pressed with Shift: all rows between it and the one pressed before, as it is. */
export function chooseRange(
  chosen: ReadonlySet<string>,
  ids: readonly string[],
  from: string,
  to: string,
): ReadonlySet<string> {
  const [first, last] = [ids.indexOf(from), ids.indexOf(to)].sort((a, b) => a - b)
  if (first === undefined || first < 0) return choose(chosen, [to])
  const between = ids.slice(first, (last ?? first) + 1)
  if (!chosen.has(to)) return new Set([...chosen, ...between])
  return new Set([...chosen].filter((id) => !between.includes(id)))
}

/** What is chosen after the box of these ids was pressed: all of them too, or none of them any more if all were. */
export function choose(chosen: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const pressed = new Set(ids)
  const all = ids.every((id) => chosen.has(id))
  return new Set(all ? [...chosen].filter((id) => !pressed.has(id)) : [...chosen, ...ids])
}
