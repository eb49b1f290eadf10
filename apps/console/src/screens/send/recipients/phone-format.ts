import { formatNumber, isFaxNumber, stripNumber } from '@faxdeck/contract/phone'

const dialed = (text: string) => text.replace(/[^+\d]/g, '').length

/** Where the caret belongs after formatting, so that as many digits stand before it as when it was typed. */
export function caretAfterFormat(typed: string, caret: number, formatted: string): number {
  const wanted = dialed(typed.slice(0, caret))
  let at = 0
  while (at < formatted.length && dialed(formatted.slice(0, at)) < wanted) at += 1
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
