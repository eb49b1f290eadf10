import type { UncertainAttempt } from './uncertain-attempt.ts'

/** A sent fax as a provider lists it. */
export interface ListedFax {
  providerId: string
  to: string
  createdAt: Date | undefined
}

/** A provider may write down a fax before or after it answers, and where its clock was not known, ours may differ. */
const earlierMs = 60_000
const laterMs = 5 * 60_000
/** A list may be late by moments, and show somebody else's fax before it shows ours. */
const settledAfterMs = 5 * 60_000
const listedBeforeMs = 30 * 24 * 3_600_000

const digitsOf = (number: string) => number.replace(/\D/g, '')

/** From when on an attempt is looked for in a list that holds little else: early enough for any clock. */
export function listFrom({ at, begunAfter = at, overBy = at }: UncertainAttempt): Date {
  return new Date(Math.min(at.getTime(), begunAfter.getTime(), overBy.getTime()) - listedBeforeMs)
}

/**
 * Recognizes an attempt among listed faxes by nothing but its number and time, by the provider's own clock where it was
 * known.
 * @returns the provider's id when exactly one listed fax can be meant; two to the same number cannot be distinguished,
 * and neither is one that another attempt of ours may have become, nor any as long as ours may not be listed yet
 */
export async function matchAttempt(
  listed: readonly ListedFax[],
  attempt: UncertainAttempt,
): Promise<string | undefined> {
  if ((attempt.overForMs() ?? 0) < settledAfterMs || (await attempt.hasRival())) return undefined
  const { begunAfter: began = attempt.at } = attempt
  const candidates: string[] = []
  for (const { providerId, to, createdAt } of listed) {
    const after = (createdAt?.getTime() ?? Number.NaN) - began.getTime()
    const fits = digitsOf(to) === digitsOf(attempt.to) && after >= -earlierMs && after <= laterMs
    if (fits && !(await attempt.isKnown(providerId))) candidates.push(providerId)
  }
  return candidates.length === 1 ? candidates[0] : undefined
}
