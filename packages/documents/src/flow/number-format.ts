/** How numbers of lists, notes and pages are written. */
export type NumberFormat =
  'decimal' | 'zero' | 'lower-roman' | 'upper-roman' | 'lower-letter' | 'upper-letter' | 'ordinal' | 'signs' | 'none'

const romans: readonly (readonly [number, string])[] = [
  ...([
    [1000, 'm'],
    [900, 'cm'],
    [500, 'd'],
    [400, 'cd'],
    [100, 'c'],
    [90, 'xc'],
  ] as const),
  ...([
    [50, 'l'],
    [40, 'xl'],
    [10, 'x'],
    [9, 'ix'],
    [5, 'v'],
    [4, 'iv'],
    [1, 'i'],
  ] as const),
]
const noteSigns = ['*', '†', '‡', '§']

function roman(number: number): string {
  let rest = number
  return romans
    .map(([value, sign]) => {
      const count = Math.floor(rest / value)
      rest -= count * value
      return sign.repeat(count)
    })
    .join('')
}

/** a to z, then aa to zz: the same letter again, as Word and LibreOffice count (ECMA-376-1, 17.18.59). */
const letter = (number: number) =>
  String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.min(20, Math.ceil(number / 26)))

function ordinal(number: number): string {
  const isTeen = number % 100 > 10 && number % 100 < 14
  return `${number}${(isTeen ? undefined : ['th', 'st', 'nd', 'rd'][number % 10]) ?? 'th'}`
}

/** A number as a list, a note or a page shows it; what a format cannot write is written with digits. */
export function formatNumber(number: number, format: NumberFormat = 'decimal'): string {
  if (format === 'none') return ''
  if (format === 'zero') return String(number).padStart(2, '0')
  if (number < 1 || number > 9999 || format === 'decimal') return String(number)
  if (format === 'ordinal') return ordinal(number)
  if (format === 'signs') return noteSigns[(number - 1) % 4]!.repeat(Math.min(20, Math.ceil(number / 4)))
  const text = format.endsWith('roman') ? roman(number) : letter(number)
  return format.startsWith('upper') ? text.toUpperCase() : text
}
