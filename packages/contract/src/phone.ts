/** A number as dialled: digits with an optional leading +. */
export function stripNumber(typed: string): string {
  return typed.replace(/[\s\-()]/g, '')
}

/**
 * Whether a typed number can be dialled: after removing spaces, hyphens and parentheses it has
 * 10 to 15 digits, or a leading + and a length of 11 to 15 characters.
 */
export function isFaxNumber(typed: string): boolean {
  const number = stripNumber(typed)
  if (!/^\+?\d+$/.test(number)) return false
  const shortest = number.startsWith('+') ? 11 : 10
  return number.length >= shortest && number.length <= 15
}

/** All but the last four characters hidden; the whole of a shorter text. */
export function maskNumber(number: string): string {
  if (number.length <= 4) return '****'
  return '*'.repeat(number.length - 4) + number.slice(-4)
}
