import { Problem } from '../../base/http/answers/problem.ts'
import { SealBroken, type Seals } from '../../base/settings/seal.ts'

interface Quoted {
  callerKeyId: string
  /** Of its document, number and options. */
  fingerprint: string
}

const freshMinutes = 15
const again = 'Ask for one (quote_fax) with the same document, number and options, and give its quote_id.'

const sealName = ({ callerKeyId }: Quoted) => `quote:${callerKeyId}`

/**
 * Proof that a caller has recently seen a quote. It carries what it is about and is sealed, so that nothing
 * has to be kept, and every process of the installation knows it.
 */
export function issueQuoteId(seals: Seals, quoted: Quoted, now: Date): { quote_id: string; quote_expires_at: string } {
  const quote_expires_at = new Date(now.getTime() + freshMinutes * 60_000).toISOString()
  return { quote_id: seals.seal(sealName(quoted), `${quote_expires_at} ${quoted.fingerprint}`), quote_expires_at }
}

function openQuoteId(seals: Seals, quoted: Quoted, given: string): string[] {
  try {
    return seals.unseal(sealName(quoted), given).split(' ')
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    throw new Problem('quote_required', `This quote_id was not issued to this caller. ${again}`)
  }
}

/** @throws {Problem} `quote_required` unless the quote is fresh and of this very fax */
export function checkQuoteId(seals: Seals, quoted: Quoted, given: string | undefined, now: Date): void {
  if (given === undefined) throw new Problem('quote_required')
  const [expiresAt = '', fingerprint] = openQuoteId(seals, quoted, given)
  if (expiresAt <= now.toISOString()) {
    throw new Problem('quote_required', `The quote is older than ${freshMinutes} minutes. ${again}`)
  }
  if (fingerprint !== quoted.fingerprint) {
    throw new Problem('quote_required', `The quote was for a different document, number or options. ${again}`)
  }
}
