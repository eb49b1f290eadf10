import type { HttpsFacts } from '../../../ui/layout/https-note.tsx'
import { needsPublicAddress, plannedValue, type Plan } from '../plan.ts'

/** Whether faxes would travel in the clear, by what is chosen and entered. */
export function httpsFacts(plan: Plan): HttpsFacts {
  const used = [plan.outbound, ...(plan.receives ? [plan.receiver] : [])].filter((provider) => provider !== undefined)
  return {
    enforced: plannedValue(plan, plan.changes, 'enforce_public_https') === true,
    url: String(plannedValue(plan, plan.changes, 'public_api_url') ?? ''),
    cloud: needsPublicAddress(used),
  }
}
