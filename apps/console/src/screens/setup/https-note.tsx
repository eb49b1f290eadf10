import { httpsWarning } from '../../ui/https-warning.ts'
import { Note } from '../../ui/note.tsx'
import { needsPublicAddress, plannedValue, type Plan } from './plan.ts'

/** The warning about faxes in the clear, for what is chosen and entered. */
export function HttpsNote({ plan }: { plan: Plan }) {
  const used = [plan.outbound, ...(plan.receives ? [plan.receiver] : [])].filter((provider) => provider !== undefined)
  const warning = httpsWarning({
    enforced: plannedValue(plan, plan.changes, 'enforce_public_https') === true,
    url: String(plannedValue(plan, plan.changes, 'public_api_url') ?? ''),
    cloud: needsPublicAddress(used),
  })
  return <div role="status">{warning && <Note tone="warn">{warning}</Note>}</div>
}
