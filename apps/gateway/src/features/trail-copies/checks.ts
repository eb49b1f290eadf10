import type { GatewayContext } from '../../base/context.ts'
import type { Group } from '../../base/checks.ts'
import { presentCopies } from './states.ts'

type Parts = Pick<GatewayContext, 'database' | 'settings' | 'now'>

const names = { syslog: 'syslog server', webhook: 'webhook', file: 'file' } as const
const entries = (count: number) => (count === 1 ? '1 entry' : `${count} entries`)

/** Whether the copies of the audit trail keep up, and whether the database still has what was copied. */
export function trailCopiesGroup(parts: Parts): Group {
  return {
    name: 'trail_copies',
    probes: [
      {
        name: 'up_to_date',
        severity: 'warning',
        hint: 'A copy of the audit trail is behind.',
        run: async () => {
          const late = (await presentCopies(parts)).filter(({ state }) => state === 'standing')
          const sentences = late.map(({ sink, behind, error }) => {
            return `The ${names[sink]} lacks ${entries(behind)} of the audit trail, the oldest for 15 minutes or longer. ${error ?? ''}`
          })
          return {
            passed: late.length === 0,
            ...(late.length > 0 && { instead: { hint: sentences.join(' ').trim() } }),
          }
        },
      },
      {
        name: 'database_has_copied',
        severity: 'critical',
        hint: 'The database lacks entries of the audit trail that were copied.',
        run: async () => {
          const cut = (await presentCopies(parts)).filter(({ state }) => state === 'cut')
          const sentences = cut.map(({ sink, cut_at: at }) => {
            return `From entry ${at ?? 1} or a later one on, the audit trail in the database no longer matches what the ${names[sink]} received. Entries were cut off or changed. Compare them with faxdeck verify-audit --copy.`
          })
          return { passed: cut.length === 0, ...(cut.length > 0 && { instead: { hint: sentences.join(' ') } }) }
        },
      },
    ],
  }
}
