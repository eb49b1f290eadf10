import { isFaxNumber, stripNumber } from '@faxdeck/contract/phone'
import { type CountryCode, getCountryCallingCode, isSupportedCountry } from 'libphonenumber-js/min'
import { Problem } from '../../http/answers/problem.ts'

const callingCode = (country: string): string =>
  isSupportedCountry(country) ? getCountryCallingCode(country satisfies CountryCode) : '1'

/**
 * A typed number as it will be dialed, in E.164 form. With a leading + it stands as it is; ten digits, and national
 * numbers with a trunk 0, get the installation's country; other digits are taken to begin with a country code.
 * Only lengths are checked: whether a number exists is for the network to say.
 * @throws {Problem} `bad_number`
 */
export function readNumber(typed: string, country: string): string {
  if (!isFaxNumber(typed)) {
    throw new Problem('bad_number', 'Please enter a valid phone number: 10 to 15 digits, or + and a country code.')
  }
  const number = stripNumber(typed)
  if (number.startsWith('+')) return number
  if (number.startsWith('00')) return `+${number.slice(2)}`
  if (number.startsWith('0')) return `+${callingCode(country)}${number.slice(1)}`
  return number.length === 10 ? `+${callingCode(country)}${number}` : `+${number}`
}

/** The digits backwards: "ends with" becomes "begins with", which an index can answer. */
export function reverseDigits(number: string): string {
  return Array.from(number.replace(/\D/g, '')).reverse().join('')
}
