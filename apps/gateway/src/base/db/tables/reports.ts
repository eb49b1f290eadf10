/** What a provider charges from a day on. Amounts are decimal text, as they were typed; null for none. */
export interface PriceRow {
  id: string
  provider: string
  direction: 'sent' | 'received'
  /** A date; it begins in the time zone of the gateway. */
  valid_from: string
  /** ISO 4217. */
  currency: string
  per_page: string | null
  per_minute: string | null
  per_call: string | null
  saved_at: string
}
