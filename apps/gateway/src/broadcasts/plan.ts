import { dropDuplicates, maxRecipients, readRecipients, type RefusedRow } from '@faxdeck/contract'
import type { GatewayContext } from '../context.ts'
import { readNumber } from '../faxes/accept/number.ts'
import { Problem } from '../http/answers/problem.ts'

/** A number that a broadcast goes to. */
export interface Recipient {
  /** The line of the list that it stands in. */
  row: number
  /** In E.164 form. */
  to: string
  name: string | null
  reference: string | null
}

/** Whom a broadcast goes to, and what of its list was left out. */
export interface RecipientPlan {
  recipients: Recipient[]
  duplicates: number
  skipped: RefusedRow[]
}

const grouped = (count: number) => count.toLocaleString('en-US')

/** So many rows are named when a list is refused. */
const maxNamed = 200

function refusal(refused: readonly RefusedRow[], recipients: number): Problem {
  const [first] = refused
  const rows = refused.length === 1 ? '1 row has' : `${grouped(refused.length)} rows have`
  const example = first ? ` Row ${first.row} ("${first.text}"): ${first.reason}` : ''
  const rest =
    recipients > 0
      ? ` Correct them, or skip them with skip_invalid=true to send to the other ${grouped(recipients)}.`
      : ''
  const fields = refused
    .slice(0, maxNamed)
    .map(({ row, text, reason }) => ({ field: `recipients.${row}`, message: `"${text}": ${reason}` }))
  return new Problem('bad_recipients', `Nothing was sent: ${rows} no valid fax number.${example}${rest}`, { fields })
}

/**
 * Reads the list of a broadcast: every number once, in the order of the list.
 * @param skipInvalid leaves rows out that name no fax number
 * @throws {Problem} `bad_recipients` naming the rows, or saying that there are none or too many
 */
export function planRecipients({ settings }: GatewayContext, text: string, skipInvalid: boolean): RecipientPlan {
  const { default_country: country } = settings.current()
  const { recipients, refused } = readRecipients(text)
  const { once, duplicates } = dropDuplicates(
    recipients.map((recipient) => ({ ...recipient, to: readNumber(recipient.to, country) })),
    (to) => to,
  )
  if (refused.length > 0 && (!skipInvalid || once.length === 0)) throw refusal(refused, once.length)
  if (once.length === 0) throw new Problem('bad_recipients', 'The list has no fax number.')
  if (once.length > maxRecipients) {
    const sentence = `The list has ${grouped(once.length)} numbers; a broadcast can have at most ${grouped(maxRecipients)}. Send it in parts.`
    throw new Problem('bad_recipients', sentence)
  }
  return { recipients: once, duplicates: duplicates.length, skipped: refused }
}
