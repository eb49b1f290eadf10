import type { HandedOver } from './provider.ts'

/** A sent fax as a provider lists it. */
export interface ListedFax {
  providerId: string
  to: string
  createdAt: Date
}

/** Clocks differ, and a provider may write down a fax before or after it answers. */
const earlierMs = 60_000
const laterMs = 5 * 60_000

const digitsOf = (number: string) => number.replace(/\D/g, '')

/** From when on a provider's list may show the attempt. */
export const listFrom = ({ at }: HandedOver): Date => new Date(at.getTime() - earlierMs)

/**
 * Recognises an attempt among listed faxes by nothing but its number and time.
 * @returns the provider's id when exactly one listed fax can be meant; two to the same number are told apart by nobody,
 * and neither is one that another attempt of ours may have become
 */
export async function matchAttempt(listed: readonly ListedFax[], attempt: HandedOver): Promise<string | undefined> {
  if (await attempt.hasRival()) return undefined
  const candidates: string[] = []
  for (const { providerId, to, createdAt } of listed) {
    const after = createdAt.getTime() - attempt.at.getTime()
    const fits = digitsOf(to) === digitsOf(attempt.to) && after >= -earlierMs && after <= laterMs
    if (fits && !(await attempt.isKnown(providerId))) candidates.push(providerId)
  }
  return candidates.length === 1 ? candidates[0] : undefined
}
