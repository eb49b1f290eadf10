import { client } from '../../api/client.ts'
import type { Session } from '../session.ts'

/** Whether a person may open a fax outside of their groups by giving a reason. Those who handle all faxes need not. */
export const mayBreakGlass = ({ config, may }: Pick<Session, 'config' | 'may'>): boolean =>
  config.break_glass_minutes > 0 && may('break_glass') && !may('handle_faxes')

export const shortestReason = 3
export const longestReason = 300

export const openFax = ({ id, reason }: { id: string; reason: string }) =>
  client.openFax({ params: { id }, body: { reason } })

export const placeOf = { sent: 'jobs', received: 'inbound' } as const

/** What is open on the Jobs screen while somebody looks for a fax with a reason. */
export const finding = 'find-with-reason'
