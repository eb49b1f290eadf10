import { pdfOf } from '../../packages/documents/src/testing/pdf-samples.ts'

const pointsOfMillimeter = 72 / 25.4

/** Wide (1) and narrow (0) bars and gaps of Code 39 (ISO/IEC 16388), bar first. */
const code39: Record<string, string> = {
  '*': '010010100',
  A: '100001001',
  B: '001001001',
  C: '101001000',
  '1': '100100001',
  '2': '001100001',
  '3': '101100000',
}

/** Widths of the bars and gaps of `text`, in modules, a gap after each character. */
function barsOfCode39(text: string): number[] {
  const widthsOf = (letter: string) => Array.from(code39[letter] ?? '', (wide) => (wide === '1' ? 3 : 1))
  return Array.from(`*${text}*`).flatMap((letter) => [...widthsOf(letter), 1])
}

/** Left-hand digits of EAN-13 (ISO/IEC 15420) in sets A and B, as modules. */
const setA = [
  '0001101',
  '0011001',
  '0010011',
  '0111101',
  '0100011',
  '0110001',
  '0101111',
  '0111011',
  '0110111',
  '0001011',
]
const flip = (modules: string) => Array.from(modules, (bit) => (bit === '0' ? '1' : '0')).join('')
const reverse = (modules: string) => Array.from(modules).reverse().join('')

/** 4006381333931, whose first digit has the sets A B A A B B. */
function modulesOfEan(): string {
  const digits = Array.from('006381333931', Number)
  const sets = 'ABAABB'
  const own = (digit: number) => setA[digit] ?? ''
  const left = digits.slice(0, 6).map((digit, at) => (sets[at] === 'A' ? own(digit) : reverse(flip(own(digit)))))
  const right = digits.slice(6).map((digit) => flip(own(digit)))
  return `101${left.join('')}01010${right.join('')}101`
}

/** A page with bar codes whose narrowest bar is `module` millimeters wide. */
export function pageOfBarcodes(module: number): Buffer {
  const unit = module * pointsOfMillimeter
  const bar = (at: number, y: number, width: number) =>
    `${(72 + at * unit).toFixed(3)} ${y} ${(width * unit).toFixed(3)} 50 re f`
  const lines = ['0 g']
  let at = 0
  for (const [index, width] of barsOfCode39('ABC123').entries()) {
    if (index % 2 === 0) lines.push(bar(at, 600, width))
    at += width
  }
  for (const [index, bit] of Array.from(modulesOfEan()).entries()) if (bit === '1') lines.push(bar(index, 450, 1))
  return pdfOf([{ content: lines.join('\n') }])
}
