import { dropDuplicates, maxRecipients, readRecipients, type RefusedRow } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import { readNumber } from '../../base/number.ts'
import { findUnlikely } from '../../fax/accept/unlikely.ts'
import { grouped } from '../../base/grouped.ts'
import { Problem } from '../../base/http/answers/problem.ts'

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
  const listed = readRecipients(text)
  const { refused } = listed
  const recipients: Recipient[] = []
  for (const recipient of listed.recipients) {
    try {
      recipients.push({ ...recipient, to: readNumber(recipient.to, country) })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      refused.push({ row: recipient.row, text: recipient.to, reason: error.message })
    }
  }
  refused.sort((one, other) => one.row - other.row)
  const { once, duplicates } = dropDuplicates(recipients, (to) => to)
  if (refused.length > 0 && (!skipInvalid || once.length === 0)) throw refusal(refused, once.length)
  if (once.length === 0) throw new Problem('bad_recipients', 'The list has no fax number.')
  if (once.length > maxRecipients) {
    const sentence = `The list has ${grouped(once.length)} numbers; a broadcast can have at most ${grouped(maxRecipients)}. Send it in parts.`
    throw new Problem('bad_recipients', sentence)
  }
  return { recipients: once, duplicates: duplicates.length, skipped: refused }
}

/**
 * Refuses a list that holds numbers which are most likely nobody's.
 * @throws {Problem} `number_unlikely` naming the rows
 */
export async function assertRecipientsLikely(
  context: GatewayContext,
  recipients: readonly Pick<Recipient, 'row' | 'to'>[],
): Promise<void> {
  const unlikely = await findUnlikely(
    context,
    recipients.map(({ to }) => to),
  )
  if (unlikely.size === 0) return
  const rows = recipients.flatMap(({ row, to }) => {
    const reason = unlikely.get(to)
    return reason === undefined ? [] : [{ row, to, reason }]
  })
  const [first] = rows
  const count = rows.length === 1 ? '1 number most likely does' : `${grouped(rows.length)} numbers most likely do`
  const example = first ? ` Row ${first.row}: ${first.reason}` : ''
  const advice = 'Correct them. To dial them anyway, send allow_unlikely_number=true.'
  const fields = rows
    .slice(0, maxNamed)
    .map(({ row, to, reason }) => ({ field: `recipients.${row}`, message: `"${to}": ${reason}` }))
  throw new Problem('number_unlikely', `Nothing was sent: ${count} not exist.${example} ${advice}`, { fields })
}
