import { checkE164 } from '@faxdeck/provider-kit'
import { listItems } from '@faxdeck/settings'

/** A fax number of ours, and what it calls itself to the other machine (CSID, T.30: up to 20 characters). */
export interface OwnNumber {
  number: string
  csid: string
}

const csidShape = /^[A-Za-z0-9 +.-]{1,20}$/

/** Reads `+15551234567, +15557654321=ACME FAX`. Call it with checked text only. */
export function readNumbers(text: string | null): OwnNumber[] {
  return listItems(text).map((item) => {
    const [number = '', csid] = item.split('=').map((part) => part.trim())
    return { number, csid: csid ?? number }
  })
}

/** Why the list cannot be used; nothing when it can. */
export function numbersFault(text: string): string | undefined {
  const seen = new Set<string>()
  for (const item of listItems(text)) {
    const [number = '', csid, ...rest] = item.split('=').map((part) => part.trim())
    const fault = checkE164(number)
    if (fault !== undefined) return `"${number}": ${fault}`
    if (csid !== undefined && (rest.length > 0 || !csidShape.test(csid))) {
      return `The station ID of ${number} may have up to 20 letters, digits, spaces, dots, hyphens and plus signs.`
    }
    if (seen.has(number)) return `${number} is listed twice.`
    seen.add(number)
  }
  return undefined
}
