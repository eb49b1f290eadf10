const isLong = process.env['FAXDECK_LONG'] !== undefined

/** How often a property is tried: in the short form a fifth of the rounds of `npm run test:long`. */
export const rounds = (full: number): number => (isLong ? full : Math.ceil(full / 5))
