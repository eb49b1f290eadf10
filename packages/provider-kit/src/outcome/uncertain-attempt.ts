/** One of our faxes that the provider has certainly accepted. */
export interface Witness {
  attemptId: string
  providerId: string
  /** E.164. */
  to: string
}

/** What is known of a fax that the provider may or may not have taken. */
export interface UncertainAttempt {
  /** E.164. */
  to: string
  /** The number it was to come from, E.164; absent for that of the line. */
  from?: string | undefined
  /** When the attempt began, by the gateway's clock: it may have been wrong, or set since. */
  at: Date
  /** By the provider's own clock, a moment before the attempt began; absent when its clock was not known then. */
  begunAfter?: Date | undefined
  /** By the provider's own clock, a moment at which the attempt was over; absent when it is asked for the first time. */
  overBy?: Date | undefined
  /** The provider's own clock now; undefined while it has not answered. */
  clock: () => Date | undefined
  /**
   * How long this process has known that the attempt was over, in milliseconds of its steady clock, which nobody sets;
   * undefined when it learns it only now.
   */
  overForMs: () => number | undefined
  /** The latest fax that the provider took from the same account. */
  witness: () => Promise<Witness | undefined>
  /** Whether a fax of the provider is known to be another attempt of ours: for a provider that keeps no reference. */
  isKnown: (providerId: string) => Promise<boolean>
  /**
   * Whether another attempt of ours to the number, at about the time, may be with the provider under an id we do not
   * know: what it lists may then be that one. Ask it before `isKnown`, because ids become known at any moment.
   */
  hasRival: () => Promise<boolean>
}
