import type { RateGroup } from '@faxdeck/contract'
import type { CoreSettings } from '@faxdeck/settings'
import type { FastifyReply } from 'fastify'

export type BudgetSettings = Pick<
  CoreSettings,
  'max_requests_per_minute' | 'max_reads_per_minute' | 'inbound_list_rpm' | 'inbound_get_rpm'
>

/** A caller that sends many faxes also polls many. */
const readsPerSend = 10

/** Calls a minute and key by group; 0 is no limit. */
export const allowances = {
  fax_send: (settings) => settings.max_requests_per_minute,
  fax_read: (settings) => settings.max_reads_per_minute ?? settings.max_requests_per_minute * readsPerSend,
  inbound_list: (settings) => settings.inbound_list_rpm,
  inbound_get: (settings) => settings.inbound_get_rpm,
} satisfies Record<RateGroup, (settings: BudgetSettings) => number>

/** What is left of an allowance after a call. */
export interface Budget {
  group: RateGroup
  limit: number
  remaining: number
  /** Seconds until all of it is there again. */
  resetSeconds: number
}

/** Says so in the answer. Source: draft-ietf-httpapi-ratelimit-headers-10, sections 3 and 4. */
export function setBudgetHeaders(reply: FastifyReply, { group, limit, remaining, resetSeconds }: Budget): void {
  void reply.header('RateLimit-Policy', `"${group}";q=${limit};w=60`)
  void reply.header('RateLimit', `"${group}";r=${remaining};t=${resetSeconds}`)
}
