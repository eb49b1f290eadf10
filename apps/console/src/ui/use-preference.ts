import { useState } from 'react'

const prefix = 'faxdeck:preference:'

function read<Value>(name: string, initial: Value): Value {
  try {
    const kept = localStorage.getItem(prefix + name)
    return kept === null ? initial : (JSON.parse(kept) as Value)
  } catch {
    return initial
  }
}

/**
 * How a person likes a screen, kept in this browser beside the theme, also after log-out: columns, saved views. Never
 * anything that names a recipient or says what a fax is about.
 * @param name unique: "jobs.columns"
 */
export function usePreference<Value>(name: string, initial: Value): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => read(name, initial))
  const keep = (next: Value) => {
    localStorage.setItem(prefix + name, JSON.stringify(next))
    setValue(next)
  }
  return [value, keep]
}
