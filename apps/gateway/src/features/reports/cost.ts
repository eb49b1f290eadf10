import type { CallRecord } from '@faxdeck/provider-kit'
import type { PriceRow } from '../../base/db/tables/reports.ts'
import { dayStarts, ownTimeZone } from './period.ts'

/** Millionths of a currency's unit: sums of whole numbers are exact. */
const micro = 1_000_000

const microsOf = (amount: string | null): number => (amount === null ? 0 : Math.round(Number(amount) * micro))

/** Millionths as a decimal number with two digits after the point, or as many as it takes: `0.07`, `1.2345`. */
export function decimalOf(micros: number): string {
  const whole = Math.floor(micros / micro)
  const rest = String(micros % micro).padStart(6, '0')
  return `${whole}.${rest.slice(0, 2)}${rest.slice(2).replace(/0+$/, '')}`
}

interface Charged {
  provider: string
  direction: PriceRow['direction']
  /** When it began. */
  at: string
  pages: number
  /** Connected; undefined when nobody knows. */
  seconds: number | undefined
}

/** What an attempt or a received fax costs; `unpriced` where no price holds. */
export type Cost = 'unpriced' | { currency: string; micros: number; lacksMinutes: boolean }

export type Pricing = (charged: Charged) => Cost

const laneOf = (provider: string, direction: string) => `${direction} ${provider}`

/** The price of each day: of the provider's prices that have begun, the last. */
export function pricingOf(prices: readonly PriceRow[]): Pricing {
  const startOf = dayStarts(ownTimeZone())
  const begun = prices.map((price) => ({ price, from: startOf(price.valid_from) }))
  const lanes = Map.groupBy(begun, ({ price }) => laneOf(price.provider, price.direction))
  for (const lane of lanes.values()) lane.sort((a, b) => b.from.localeCompare(a.from))
  return ({ provider, direction, at, pages, seconds }) => {
    const price = lanes.get(laneOf(provider, direction))?.find(({ from }) => from <= at)?.price
    if (!price) return 'unpriced'
    const minutes = price.per_minute === null ? 0 : Math.round(((seconds ?? 0) * microsOf(price.per_minute)) / 60)
    return {
      currency: price.currency,
      micros: microsOf(price.per_call) + pages * microsOf(price.per_page) + minutes,
      lacksMinutes: price.per_minute !== null && seconds === undefined,
    }
  }
}

/** How long a call was connected: from answer to end, none when nobody answered; undefined where the record does not say. */
export function connectedSeconds(call: CallRecord | null): number | undefined {
  const at = (wanted: string) => call?.steps?.find(({ step }) => step === wanted)?.at
  const [answered, ended] = [at('answered'), at('ended')]
  if (ended === undefined) return undefined
  if (answered === undefined) return at('agreed') === undefined && at('page') === undefined ? 0 : undefined
  return Math.max(0, (Date.parse(ended) - Date.parse(answered)) / 1000)
}
