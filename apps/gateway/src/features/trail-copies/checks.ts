import type { TrailCopy } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Group, Probe } from '../../base/checks.ts'
import { presentCopies } from './states.ts'

type Parts = Pick<GatewayContext, 'database' | 'settings' | 'now'>

const names = { syslog: 'syslog server', webhook: 'webhook', file: 'file' } as const
const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** A check that no copy is in a state; it fails with a sentence for each copy that is. */
const noneIs = (
  parts: Parts,
  state: TrailCopy['state'],
  sentenceOf: (copy: TrailCopy) => string,
  rest: Omit<Probe, 'run'>,
): Probe => ({
  ...rest,
  run: async () => {
    const copies = (await presentCopies(parts)).filter((copy) => copy.state === state)
    const hint = copies.map(sentenceOf).join(' ').trim()
    return { passed: copies.length === 0, ...(copies.length > 0 && { instead: { hint } }) }
  },
})

const lateSentence = ({ sink, behind, error }: TrailCopy) =>
  `The ${names[sink]} lacks ${entries(behind)} of the audit trail, the oldest for 15 minutes or longer. ${error ?? ''}`

const cutSentence = ({ sink, cut_at: at }: TrailCopy) =>
  `From entry ${at ?? 1} or a later one on, the audit trail in the database no longer matches what the ${names[sink]} received. Entries were cut off or changed. Compare them with faxdeck verify-audit --copy.`

/** Whether the copies of the audit trail keep up, and whether the database still has what was copied. */
export const trailCopiesGroup = (parts: Parts): Group => ({
  name: 'trail_copies',
  probes: [
    noneIs(parts, 'standing', lateSentence, {
      name: 'up_to_date',
      severity: 'warning',
      hint: 'A copy of the audit trail is behind.',
    }),
    noneIs(parts, 'cut', cutSentence, {
      name: 'database_has_copied',
      severity: 'critical',
      hint: 'The database lacks entries of the audit trail that were copied.',
    }),
  ],
})
