import { useState } from 'react'

const prefix = 'faxdeck:'

function read<Value>(name: string, initial: Value): Value {
  const kept = sessionStorage.getItem(prefix + name)
  return kept === null ? initial : (JSON.parse(kept) as Value)
}

/**
 * State that outlives its screen and a reload, in this tab until log-out: filters, a search, an open section.
 * @param name unique: "jobs.filter"
 */
export function useKept<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => read(name, initial))
  const keep = (next: Value) => {
    sessionStorage.setItem(prefix + name, JSON.stringify(next))
    setValue(next)
  }
  return [value, keep]
}

/** Forgets everything kept, at log-out. */
export function forgetKept(): void {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(prefix)) sessionStorage.removeItem(name)
  }
}
