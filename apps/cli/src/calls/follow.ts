import { setTimeout as pause } from 'node:timers/promises'
import type { Fax } from '@faxdeck/contract'
import { type Desk, flag, option } from '../command.ts'
import { usageFault } from '../fault.ts'
import { isSettled } from '../terminal/fax-lines.ts'

const firstPauseMs = 500
const longestPauseMs = 10_000

export const within = option('<seconds>', 'How long to wait for the outcome (default 1800).')

/** @throws {Fault} when it is no number of seconds */
export function secondsOf(given: string | undefined): number {
  const seconds = Number(given ?? 1800)
  if (given?.trim() === '' || !Number.isFinite(seconds) || seconds < 0) {
    throw usageFault(`"${given}" is not a number of seconds.`)
  }
  return seconds
}

export const wait = flag('Wait for the outcome, and print each change.', { short: 'w' })

/**
 * Asks for faxes until all are settled or the time is up, more seldom the longer it takes.
 * @param onChange notes each change unless it does something else
 */
export async function follow(
  faxes: readonly { id: string }[],
  seconds: number,
  { client, out }: Desk,
  onChange = ({ id, status, error }: Fax) => out.note(`${id} ${status}${error === null ? '' : `: ${error}`}`),
): Promise<Fax[]> {
  const until = Date.now() + seconds * 1000
  const last = new Map<string, Fax>()
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, longestPauseMs)) {
    for (const { id } of faxes) {
      const known = last.get(id)
      if (known && isSettled(known)) continue
      const fax = await client.getFax({ params: { id } })
      last.set(id, fax)
      if (fax.status !== known?.status || fax.updated_at !== known.updated_at) onChange(fax)
    }
    const found = [...last.values()]
    const open = found.filter((fax) => !isSettled(fax)).length
    if (open === 0 || Date.now() >= until) return found
    out.progress(`Waiting for ${open} of ${faxes.length}…`)
    await pause(Math.min(pauseMs, Math.max(0, until - Date.now())))
  }
}
