/** A number without what people write between its digits: spaces, hyphens of every length, parentheses, dots, slashes. */
export function stripNumber(typed: string): string {
  return typed.replace(/[\s\-\u2010-\u2015()./]/g, '')
}

/**
 * Whether a typed number may be one, judging by its length: after removing spaces, hyphens and parentheses it has
 * 10 to 15 digits, or a leading + and a length of 11 to 15 characters. The gateway knows the numbers of each country.
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

/** A text in which seven digits or more are taken for a number: all but the last four of them hidden. */
export function maskDigits(text: string): string {
  let left = text.replace(/\D/g, '').length
  if (left < 7) return text
  return text.replace(/\d/g, (digit) => (left-- > 4 ? '*' : digit))
}

/** Two-digit country codes; 1 and 7 have one digit, all others three (ITU-T E.164, assigned country codes). */
const twoDigitCode = /^(20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/
const northAmerica = ['US', 'CA']

function countryCodeLength(digits: string): number {
  if (/^[17]/.test(digits)) return 1
  return twoDigitCode.test(digits) ? 2 : 3
}

/**
 * Where a number is, according to its first digits: `+1 212`, `+49 30`. After the country code come the three digits of a
 * North American area code, or two digits elsewhere, where area codes differ in length. Null without a country code.
 */
export function destinationOf(number: string): string | null {
  if (!/^\+\d{7,}$/.test(number)) return null
  const digits = number.slice(1)
  const code = countryCodeLength(digits)
  return `+${digits.slice(0, code)} ${digits.slice(code, code + (code === 1 ? 3 : 2))}`
}

/** Threes while more than four digits remain: 5555550123 is 555 555 0123. */
function inThrees(digits: string): string {
  const groups: string[] = []
  let rest = digits
  while (rest.length > 4) {
    groups.push(rest.slice(0, 3))
    rest = rest.slice(3)
  }
  return [...groups, rest].filter(Boolean).join(' ')
}

function asNorthAmerican(digits: string): string {
  if (digits.length <= 3) return digits
  if (digits.length <= 6) return `(${digits.slice(0, 3)}) ${digits.slice(3)}`
  return `(${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`
}

/**
 * A number in groups, as people read and type it: "(555) 555-0123", "+44 207 946 0958". The country is that of national
 * numbers; those that begin with + need none. Text that holds anything but a number's characters stays as it is.
 */
export function formatNumber(typed: string, country = 'US'): string {
  const number = stripNumber(typed)
  if (!/^\+?\d+$/.test(number)) return typed
  if (number.startsWith('+')) {
    const code = countryCodeLength(number.slice(1)) + 1
    return `${number.slice(0, code)} ${inThrees(number.slice(code))}`.trim()
  }
  if (!northAmerica.includes(country)) return inThrees(number)
  if (number.length <= 10) return asNorthAmerican(number)
  return number.length === 11 && number.startsWith('1') ? `1 ${asNorthAmerican(number.slice(1))}` : inThrees(number)
}
