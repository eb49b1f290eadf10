import type { HeldFax } from '@faxdeck/contract'
import { shortTime } from '../../../ui/time.tsx'

type Found = HeldFax['found'][number]

const states = {
  queued: 'still waiting',
  in_progress: 'still in progress',
  delivered: 'delivered',
  failed: 'failed',
} as const satisfies Record<Found['state'], string>

const onOrAt = (time: string) => `${/^\d+:/.test(time) ? 'at' : 'on'} ${time}`

/** "Phaxio lists a fax to this number at 14:02: delivered." */
export const foundWords = ({ provider, at, state }: Found): string =>
  `${provider} lists a fax to this number ${onOrAt(shortTime(at))}: ${states[state]}.`

/** What is known of a held fax, in a line. */
export function heldWords({ found, asked_at: asked }: HeldFax): string {
  const last = found.at(-1)
  if (last) return foundWords(last)
  return asked === null ? 'May have been sent since the backup.' : 'The provider lists no other fax to this number.'
}
