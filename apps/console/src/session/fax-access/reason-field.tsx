import { TextField } from '../../ui/form/fields.tsx'
import { longestReason, shortestReason } from './open-fax.ts'

/** Why somebody looks at a fax of another group. */
export function ReasonField(entry: { value: string; onChange: (reason: string) => void }) {
  const help = `${shortestReason} to ${longestReason} characters.`
  return <TextField label="Reason" help={help} maxLength={longestReason} autoFocus {...entry} />
}
