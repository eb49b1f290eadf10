import { setTimeout as pause } from 'node:timers/promises'
import type { Client, Fax } from '@faxdeck/contract'
import { usageFault } from '../fault.ts'
import { isSettled } from '../terminal/fax-lines.ts'

const firstPauseMs = 500
const longestPauseMs = 10_000

export const within = {
  type: 'string',
  value: '<seconds>',
  help: 'How long to wait for the outcome (default 1800).',
} as const

/** @throws {Fault} when it is no number of seconds */
export function secondsOf(given: string | undefined): number {
  const seconds = Number(given ?? 1800)
  if (given?.trim() === '' || !Number.isFinite(seconds) || seconds < 0) {
    throw usageFault(`"${given}" is not a number of seconds.`)
  }
  return seconds
}

interface Following {
  seconds: number
  /** Called for each fax whenever its state has changed. */
  onChange: (fax: Fax) => void
  /** Called with how many are still under way. */
  onWait: (open: number) => void
}

/** Asks for faxes until all are settled or the time is up, more seldom the longer it takes. */
export async function follow(client: Client, ids: readonly string[], { seconds, onChange, onWait }: Following) {
  const until = Date.now() + seconds * 1000
  const last = new Map<string, Fax>()
  for (let wait = firstPauseMs; ; wait = Math.min(wait * 1.5, longestPauseMs)) {
    for (const id of ids) {
      const known = last.get(id)
      if (known && isSettled(known)) continue
      const fax = await client.getFax({ params: { id } })
      last.set(id, fax)
      if (fax.status !== known?.status || fax.updated_at !== known.updated_at) onChange(fax)
    }
    const faxes = [...last.values()]
    const open = faxes.filter((fax) => !isSettled(fax)).length
    if (open === 0 || Date.now() >= until) return faxes
    onWait(open)
    await pause(Math.min(wait, Math.max(0, until - Date.now())))
  }
}
