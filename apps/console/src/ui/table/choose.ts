/** What is chosen after the box of these ids was pressed: all of them too, or none of them any more if all were. */
export function choose(chosen: ReadonlySet<string>, ids: readonly string[]): ReadonlySet<string> {
  const pressed = new Set(ids)
  const all = ids.every((id) => chosen.has(id))
  return new Set(all ? [...chosen].filter((id) => !pressed.has(id)) : [...chosen, ...ids])
}
