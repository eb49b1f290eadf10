import { isFaxNumber, stripNumber } from '@faxdeck/contract/phone'

/** Two-digit country codes; 1 and 7 have one digit, all others three (ITU-T E.164, assigned country codes). */
const twoDigitCode = /^(20|27|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/
const northAmerica = ['US', 'CA']

function countryCodeLength(digits: string): number {
  if (/^[17]/.test(digits)) return 1
  return twoDigitCode.test(digits) ? 2 : 3
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
 * A number in groups, while it is typed and when it is read back: "(555) 555-0123", "+44 207 946 0958".
 * Text that holds anything but a number's characters stays as it was typed.
 */
export function formatNumber(typed: string, country: string): string {
  const number = stripNumber(typed.replace(/[./\u00a0\u2010-\u2015]/g, ' '))
  if (!/^\+?\d+$/.test(number)) return typed
  if (number.startsWith('+')) {
    const code = countryCodeLength(number.slice(1)) + 1
    return `${number.slice(0, code)} ${inThrees(number.slice(code))}`.trim()
  }
  if (!northAmerica.includes(country)) return inThrees(number)
  if (number.length <= 10) return asNorthAmerican(number)
  return number.length === 11 && number.startsWith('1') ? `1 ${asNorthAmerican(number.slice(1))}` : inThrees(number)
}

const dialled = (text: string) => text.replace(/[^+\d]/g, '').length

/** Where the caret belongs after formatting, so that as many digits stand before it as when it was typed. */
export function caretAfterFormat(typed: string, caret: number, formatted: string): number {
  const wanted = dialled(typed.slice(0, caret))
  let at = 0
  while (at < formatted.length && dialled(formatted.slice(0, at)) < wanted) at += 1
  return at
}

/** Whether two typed numbers are the same one to dial. */
export const isSameNumber = (one: string, other: string) => stripNumber(one) === stripNumber(other)

/** Splits typed or pasted text at commas, semicolons and line ends into numbers, and what is not one. */
export function splitRecipients(text: string, country: string): { numbers: string[]; rest: string } {
  const parts = text
    .split(/[,;\t\r\n]+/)
    .map((part) => formatNumber(part.trim(), country))
    .filter(Boolean)
  const numbers = parts.filter(isFaxNumber)
  const rest = parts.filter((part) => !isFaxNumber(part)).join(', ')
  return { numbers: numbers.filter((one, at) => numbers.findIndex((n) => isSameNumber(n, one)) === at), rest }
}
