import { isFaxNumber, stripNumber } from '@faxdeck/contract/phone'
import {
  type CountryCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
  type PhoneNumber,
  validatePhoneNumberLength,
} from 'libphonenumber-js/max'
import { Problem } from './http/answers/problem.ts'

const countryOf = (code: string): CountryCode => (isSupportedCountry(code) ? code : 'US')

const maxKnown = 2000
const known = new Map<string, PhoneNumber | undefined>()

/** One fax has its number read several times, and many faxes go to the same numbers: those read last are remembered. */
export function parseNumber(text: string, defaultCountry?: CountryCode): PhoneNumber | undefined {
  const key = `${defaultCountry ?? ''}${text}`
  if (known.has(key)) return known.get(key)
  if (known.size >= maxKnown) known.clear()
  const found = parsePhoneNumberFromString(text, { extract: false, ...(defaultCountry && { defaultCountry }) })
  known.set(key, found)
  return found
}

/** Area code 555 is nobody's: examples, tests and the test line use it, and a call to it reaches no one by mistake. */
const isExample = ({ countryCallingCode, nationalNumber }: PhoneNumber) =>
  countryCallingCode === '1' && nationalNumber.startsWith('555')

/** Whether such a number is assigned somewhere, as far as the numbering plans tell. */
export const isLikely = (number: PhoneNumber): boolean => number.isValid() || isExample(number)

const digitsOf = (text: string) => text.replace(/\D/g, '')

interface Reading {
  /** By the habits of the country: its international prefix, its trunk prefix, its own numbers. */
  home: PhoneNumber | undefined
  /** Digits that begin with a country code, or with 00 before it. */
  abroad: PhoneNumber | undefined
  /** To read it by them is a guess: it lacks the trunk prefix that people write there, or begins with a foreign prefix. */
  isGuess: boolean
}

function readingsOf(number: string, country: CountryCode): Reading {
  if (number.startsWith('+')) return { home: parseNumber(number), abroad: undefined, isGuess: false }
  const home = parseNumber(number, country)
  const isBare = home?.nationalNumber === number && digitsOf(home.formatNational()) !== number
  const isGuess = isBare || (number.startsWith('00') && home?.isValid() === false)
  return { home, abroad: parseNumber(`+${number.replace(/^00/, '')}`), isGuess }
}

/** Two countries have such a number, and nothing tells which is meant. */
const isAmbiguous = ({ home, abroad, isGuess }: Reading) =>
  isGuess && home?.isValid() === true && abroad?.isValid() === true && home.number !== abroad.number

/** What may be dialed: a length that the country has, and a reading that does not change when it is read again. */
const isPossible = (number: PhoneNumber | undefined) =>
  number?.isPossible() === true && parseNumber(number.number)?.number === number.number

function preferred({ home, abroad, isGuess }: Reading): PhoneNumber | undefined {
  const order = isGuess ? [abroad, home] : [home, abroad]
  return (isGuess ? order.find((each) => each?.isValid()) : undefined) ?? order.find(isPossible)
}

const isExtended = (typed: string) => /^[+\d\s\-()./]{7,}(?:[;,#x]|e?xt)/i.test(typed.trim())

function faultOf(number: string, country: CountryCode): string {
  if (/^0[^0]/.test(number) && country === 'US')
    return 'numbers in the US do not begin with 0. For another country, begin with + and its country code.'
  const fault = validatePhoneNumberLength(number, { defaultCountry: country })
  if (fault === 'INVALID_COUNTRY') return 'there is no such country code.'
  const code = parseNumber(number, country)?.countryCallingCode
  const size = fault === 'TOO_SHORT' ? 'too few' : fault === 'TOO_LONG' ? 'too many' : 'the wrong count of'
  const where = code === undefined ? '' : ` for country code +${code}`
  return `it has ${size} digits${where}. Check it, and begin with + and the country code.`
}

const refusal = (why: string) => new Problem('bad_number', `Please enter a valid phone number: ${why}`)

/**
 * A typed number as it will be dialed, in E.164 form, read by the habits of a country: its international prefix, its
 * trunk prefix, its own numbers. Digits that are no number of it are taken to begin with a country code.
 * @param country two letters; that of the installation
 * @throws {Problem} `bad_number` for what no number can be, what two countries have, and extensions
 */
export function readNumber(typed: string, country: string): string {
  if (isExtended(typed)) throw refusal('leave out the extension. A fax is dialed directly.')
  if (!isFaxNumber(typed)) throw refusal('10 to 15 digits, or + and a country code.')
  const number = stripNumber(typed)
  const home = countryOf(country)
  const readings = readingsOf(number, home)
  if (isAmbiguous(readings))
    throw refusal(
      'this can be a number of two countries. Begin with + and the country code, or with the area code’s 0.',
    )
  const found = preferred(readings)
  if (!found) throw refusal(faultOf(number, home))
  return found.number
}

/**
 * A typed number as faxes to it are found. What could not be dialed any more may have been once.
 * @throws {Problem} `bad_number`
 */
export function soughtNumber(typed: string, country: string): string {
  try {
    return readNumber(typed, country)
  } catch (error) {
    const number = stripNumber(typed)
    if (isFaxNumber(typed) && number.startsWith('+')) return number
    throw error
  }
}

/**
 * A number that another machine wrote, in the one spelling that it is stored and looked for in: E.164. What is no
 * number, a short internal one, or one that could be of two countries stays as it is.
 */
export function spellNumber(written: string, country: string): string {
  if (!isFaxNumber(written)) return written
  const readings = readingsOf(stripNumber(written), countryOf(country))
  if (isAmbiguous(readings)) return written
  const found = preferred(readings)
  const { abroad } = readings
  // Switches leave out the + more often than anybody calls from a number that does not exist.
  if (found && !isLikely(found) && abroad && isLikely(abroad)) return abroad.number
  return found?.number ?? written
}

/**
 * The digits of a number, or of a part of it, that stored numbers end with: without an international or a trunk prefix.
 * They are not read by country: of what is being typed only a part is there.
 */
export function endingDigits(typed: string): string {
  const digits = digitsOf(typed)
  if (typed.trim().startsWith('+') || digits.length < 7) return digits
  return digits.replace(digits.length > 10 ? /^(?:0011|011|010|0+)/ : /^0+/, '')
}

/** The digits backwards: "ends with" becomes "begins with", which an index can answer. */
export function reverseDigits(number: string): string {
  return Array.from(number.replace(/\D/g, '')).reverse().join('')
}
