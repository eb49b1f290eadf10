import type { GatewayContext } from '../../base/context.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isTestLine } from '../../base/providers/test-line.ts'
import { isLikely, parseNumber, reverseDigits } from '../../base/number.ts'

const names = new Intl.DisplayNames('en', { type: 'region', style: 'short' })

/** "Germany", "the US". */
function placeName(region: string): string {
  const name = names.of(region) ?? region
  return /^(?:US|UK|Netherlands|Philippines|Bahamas|Maldives|Gambia|United|Dominican|Czech)/.test(name)
    ? `the ${name}`
    : name
}

/** Whether any number of North America begins so: with an area code, or the code of a service. */
const isAreaCode = (code: string) => parseNumber(`+1${code}2345678`)?.isValid() === true

/**
 * Why a number, though it could be dialed, is most likely nobody's, in a sentence without the number; undefined for one
 * that is assigned, as far as the numbering plans tell.
 * @param number in E.164 form
 * @param country of the installation
 */
export function unlikelyReason(number: string, country: string): string | undefined {
  const found = parseNumber(number)
  if (!found) return undefined
  const here = placeName(country === 'CA' ? 'CA' : 'US')
  // Every number of North America has the same length; elsewhere a short or long one may exist.
  if (!found.isPossible() && found.countryCallingCode === '1') return `Numbers in ${here} have 10 digits after +1.`
  if (!found.isPossible() || isLikely(found)) return undefined
  if (found.countryCallingCode !== '1') {
    const [region] = found.getPossibleCountries()
    return `No known number${region ? ` in ${placeName(region)}` : ''} looks like this one.`
  }
  const area = found.nationalNumber.slice(0, 3)
  return isAreaCode(area)
    ? `No known number in ${here} looks like this one.`
    : `There is no area code ${area} in ${here}.`
}

/** Of some numbers those that a fax reached: they exist, whatever the numbering plans say. The test line reaches nobody. */
async function reached({ database, providers }: GatewayContext, numbers: readonly string[]): Promise<Set<string>> {
  const found = new Set<string>()
  for (let from = 0; from < numbers.length; from += 500) {
    const reversed = numbers.slice(from, from + 500).map(reverseDigits)
    const jobs = database.db.selectFrom('fax_jobs').select(['to_number', 'backend']).distinct()
    const rows = await jobs.where('to_reversed', 'in', reversed).where('status', '=', 'SUCCESS').execute()
    for (const { to_number: to, backend } of rows) if (!isTestLine(providers, backend)) found.add(to)
  }
  return found
}

/**
 * Those of some numbers that are most likely nobody's, and that no fax has ever reached, each with the reason.
 * @param numbers in E.164 form
 */
export async function findUnlikely(context: GatewayContext, numbers: readonly string[]): Promise<Map<string, string>> {
  const { default_country: country } = context.settings.current()
  const unlikely = new Map<string, string>()
  for (const number of numbers) {
    const reason = unlikelyReason(number, country)
    if (reason !== undefined) unlikely.set(number, reason)
  }
  if (unlikely.size === 0) return unlikely
  for (const number of await reached(context, [...unlikely.keys()])) unlikely.delete(number)
  return unlikely
}

/** How a caller says that a number is meant as it is. */
export const overrideAdvice = 'Check the number. To dial it anyway, send allow_unlikely_number=true.'

/**
 * Refuses a number that is most likely nobody's, unless the caller has said that it is meant.
 * @param number in E.164 form
 * @throws {Problem} `number_unlikely`
 */
export async function assertLikely(context: GatewayContext, number: string, isAllowed = false): Promise<void> {
  if (isAllowed) return
  const reason = (await findUnlikely(context, [number])).get(number)
  if (reason === undefined) return
  throw new Problem('number_unlikely', `${reason} ${overrideAdvice}`, { fields: [{ field: 'to', message: reason }] })
}
