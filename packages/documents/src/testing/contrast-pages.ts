import { jpegStream } from './made-pages.ts'
import { landscape } from './drawn-pictures.ts'
import { pdfOf, textAt } from './pdf-samples.ts'

/** Colors that Word, Acrobat, Firefox and macOS mark text with, and those of felt pens. */
export const highlightColors = {
  'Word yellow': '#FFFF00',
  'Word green': '#00FF00',
  'Word turquoise': '#00FFFF',
  'Word pink': '#FF00FF',
  'Word red': '#FF0000',
  'Word dark yellow': '#808000',
  'Word teal': '#008080',
  'Word gray 50': '#808080',
  'Word gray 25': '#C0C0C0',
  'Acrobat yellow': '#FFD100',
  'Acrobat green': '#4BC65A',
  'Firefox green': '#53FFBC',
  'Firefox blue': '#80EBFF',
  'Firefox pink': '#FFCBE6',
  'Firefox red': '#FF4F5F',
  'macOS orange': '#FFB347',
  'macOS purple': '#BF8BFF',
  'marker green': '#39B54A',
  'marker orange': '#FF6F20',
  'soft red': '#E6A0A0',
} as const

const sentence =
  'The patient reports no pain since the last visit and takes one tablet in the evening with water before sleeping well'
const words = sentence.split(' ')

/** Some words of the sentence, from another place each time. */
const phrase = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => words[(from + at) % words.length]).join(' ')

/** The operator that fills with a color: `#rrggbb`, or a tone from 0 to 1. */
const fill = (color: string | number) =>
  typeof color === 'number'
    ? `${color} g`
    : `${[1, 3, 5].map((at) => (parseInt(color.slice(at, at + 2), 16) / 255).toFixed(3)).join(' ')} rg`

const box = (x: number, y: number, width: number, height: number) => `${x} ${y} ${width} ${height} re f`

const label = (x: number, y: number, size: number, text: string, tone = 0) => `${tone} g ${textAt(x, y, size, text)}`

/** Adjacent highlighted lines: bars as high as the line but for a white gap, which is what programs leave. */
function highlightedLines(color: string, gap: number): string {
  const lines: string[] = [label(72, 740, 14, 'Summary of the visit')]
  for (let group = 0; group < 3; group++) {
    for (let line = 0; line < 4; line++) {
      const y = 690 - group * 120 - line * 15
      const length = line === 3 ? 180 : 430 - 20 * group
      lines.push(fill(color), box(70, y - 4, length, 15 - gap))
      lines.push(label(72, y, 11, phrase(group * 5 + line * 7, line === 3 ? 5 : 12)))
    }
    lines.push(label(72, 690 - group * 120 - 70, 11, phrase(group, 14)))
  }
  return lines.join('\n')
}

/** Rows shaded by turns, with white or dark type, and white rules between the columns. */
function shadedRows(tone: number, type: number): string {
  const rows = Array.from({ length: 30 }, (_, row) => {
    const y = 700 - row * 16
    const shaded = row % 3 !== 2
    const cells = [0, 1, 2, 3].map((column) =>
      label(66 + column * 122, y + 4, 9, phrase(row + 3 * column, 3), shaded ? type : 0),
    )
    const rules = [1, 2, 3].map((column) => `1 g ${box(60 + column * 122, y, 1.5, 16)}`)
    return [shaded ? `${tone} g ${box(60, y, 488, 15)}` : '', ...rules, ...cells].join('\n')
  })
  return [label(60, 740, 14, 'Medication plan'), ...rows].join('\n')
}

const palette = ['#4472C4', '#ED7D31', '#A5A5A5', '#FFC000', '#5B9BD5', '#70AD47', '#9E480E', '#636363']
/** Whether white type is easier to see on a color than black. */
const wantsWhite = (color: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
  return 0.299 * red! + 0.587 * green! + 0.114 * blue! < 140
}
const typeOn = (color: string) => (wantsWhite(color) ? 1 : 0)

function barChart(): string {
  const bars = palette.map((color, at) => {
    const [x, height] = [80 + at * 56, 120 + ((at * 97) % 260)]
    return [
      `${fill(color)} ${box(x, 380, 56, height)}`,
      label(x + 8, 380 + height - 16, 10, `${height} mg`, typeOn(color)),
      label(x + 8, 388, 9, `Week ${at + 1}`, typeOn(color)),
    ].join('\n')
  })
  const level = palette.map((color, at) =>
    [
      `${fill(color)} ${box(130, 330 - at * 30, 80 + ((at * 131) % 330), 29)}`,
      label(136, 340 - at * 30, 10, `Ward ${at + 1}`, typeOn(color)),
      label(64, 340 - at * 30, 9, `Floor ${at}`),
    ].join('\n'),
  )
  return [label(72, 740, 14, 'Doses by week'), ...bars, ...level].join('\n')
}

/** A slice of a circle, by lines that are short enough. */
function slice(x: number, y: number, radius: number, from: number, to: number, inner = 0): string {
  const steps = Array.from({ length: 41 }, (_, step) => from + ((to - from) * step) / 40)
  const at = (turn: number, far: number) =>
    `${(x + far * Math.cos(2 * Math.PI * turn)).toFixed(2)} ${(y + far * Math.sin(2 * Math.PI * turn)).toFixed(2)}`
  const outline = [...steps.map((turn) => at(turn, radius)), ...steps.reverse().map((turn) => at(turn, inner))]
  return `${outline.map((place, step) => `${place} ${step === 0 ? 'm' : 'l'}`).join(' ')} h f`
}

function pieChart(separated: boolean, inner: number): string {
  const shares = [0.22, 0.17, 0.15, 0.13, 0.11, 0.09, 0.07, 0.06]
  let from = 0
  const slices = shares.map((share, at) => {
    const middle = 2 * Math.PI * (from + share / 2)
    const [x, y] = [306 + 140 * Math.cos(middle) - 24, 440 + 140 * Math.sin(middle) - 4]
    const drawn = slice(306, 440, 200, from + (separated ? 0.003 : 0), from + share - (separated ? 0.003 : 0), inner)
    const color = palette[at]!
    from += share
    return `${fill(color)} ${drawn} ${label(x, y, 10, `Group ${at + 1}`, typeOn(color))} ${label(x, y - 12, 9, `${Math.round(100 * share)} %`, typeOn(color))}`
  })
  return [label(72, 740, 14, 'Shares by group'), ...slices].join('\n')
}

function heatMap(gap: number, type: 'fitting' | 'black' | 'white'): string {
  const cells = Array.from({ length: 15 * 10 }, (_, at) => {
    const [column, row] = [at % 10, Math.floor(at / 10)]
    const tone = Math.round(20 + ((at * 37) % 225)) / 255
    const ink = type === 'fitting' ? (tone < 0.5 ? 1 : 0) : type === 'black' ? 0 : 1
    if (Math.abs(tone - ink) < 0.3) return ''
    const [x, y] = [70 + column * 47, 680 - row * 40]
    return `${tone.toFixed(3)} g ${box(x, y, 47 - gap, 40 - gap)} ${label(x + 8, y + 15, 10, `${(at * 7) % 90}.${at % 10} K`, ink)}`
  })
  return [label(72, 740, 14, 'Readings by day and hour'), ...cells].join('\n')
}

function labeledShapes(color: string): string {
  const star = Array.from({ length: 10 }, (_, point) => {
    const [far, turn] = [point % 2 === 0 ? 90 : 38, Math.PI / 2 + (point * Math.PI) / 5]
    return `${(450 + far * Math.cos(turn)).toFixed(1)} ${(600 + far * Math.sin(turn)).toFixed(1)} ${point === 0 ? 'm' : 'l'}`
  }).join(' ')
  const disc = (x: number, y: number, radius: number) => slice(x, y, radius, 0, 1)
  return [
    label(72, 740, 14, 'Signs and what they mean'),
    `${fill(color)} ${slice(170, 600, 90, 0, 1, 50)} ${star} h f ${disc(170, 380, 80)} ${disc(440, 380, 24)} ${disc(300, 250, 14)}`,
    label(150, 596, 10, 'Ring'),
    label(84, 600, 9, 'outer'),
    label(432, 596, 10, 'Star'),
    label(150, 376, 11, 'Disc'),
    label(434, 376, 11, '12'),
    label(296, 246, 10, '7'),
    label(420, 340, 10, 'Beside the mark'),
  ].join('\n')
}

/** The outline of a person, filled, with a wound and what is written to it. */
function bodyMap(color: string): string {
  const trunk =
    '256 560 m 356 560 l 366 380 l 346 180 l 316 180 l 308 370 l 300 370 l 296 180 l 266 180 l 246 380 l h f'
  return [
    label(72, 740, 14, 'Wound assessment'),
    `${fill(color)} ${slice(306, 610, 42, 0, 1)} ${trunk}`,
    `${box(206, 400, 30, 150)} ${box(376, 400, 30, 150)}`,
    `0.1 g ${slice(290, 470, 9, 0, 1)}`,
    label(280, 500, 10, 'Wound 1'),
    label(286, 606, 10, 'Head'),
    label(274, 300, 9, 'Left knee'),
    label(72, 100, 11, phrase(0, 14)),
  ].join('\n')
}

const dark = (ground: number, type: readonly number[]) =>
  [
    `${ground} g ${box(0, 0, 612, 792)}`,
    ...type.flatMap((tone, part) =>
      Array.from({ length: 5 }, (_, line) =>
        label(72, 720 - part * 110 - line * 18, 11, phrase(line * 3 + part, 13), tone),
      ),
    ),
  ].join('\n')

/** Type of several tones in one line, so that tiles hold more than one. */
function mixedType(): string {
  const lines = Array.from({ length: 34 }, (_, line) => {
    const y = 720 - line * 19
    const pale = 0.4 + 0.1 * (line % 5)
    return `${label(72, y, 10, phrase(line, 6))} ${label(330, y, 10, phrase(line + 4, 5), pale)} ${label(72, y - 8, 7, phrase(line + 9, 10), pale)}`
  })
  return lines.join('\n')
}

/** White and black type on one ground, and on bars of it. */
function bothOn(tone: number): string {
  const bars = [0, 1, 2, 3, 4, 5].map((at) => {
    const y = 660 - at * 90
    return [
      `${tone} g ${box(60, y, 492, 64)}`,
      label(70, y + 42, 14, phrase(at, 6), 1),
      label(70, y + 24, 10, phrase(at + 5, 12), 0),
      label(70, y + 8, 9, phrase(at + 9, 12), at % 2),
    ].join('\n')
  })
  return bars.join('\n')
}

async function titleBesidePicture(tone: number, high: number): Promise<Buffer> {
  const picture = await jpegStream(landscape(500, 330))
  const bars = [0, 1, 2].map((at) => {
    const y = 560 - at * 210
    return [
      `q 240 0 0 158 60 ${y - 110} cm /X Do Q`,
      `${tone} g ${box(300, y + 10, 260, high)}`,
      label(308, y + 10 + (high - 10) / 2, high > 22 ? 15 : 10, 'Representative Wind Energy', 1),
      label(308, y - 20, 10, phrase(at, 7)),
      `${tone} g ${box(60, y + 48, 500, high)}`,
      label(70, y + 48 + (high - 10) / 2, high > 22 ? 15 : 10, phrase(at * 3, 7), 1),
    ].join('\n')
  })
  return pdfOf([{ content: bars.join('\n') }], [picture])
}

const one = (content: string) => async () => pdfOf([{ content }])

/** Pages on which writing stands on grounds of every kind, each with a name: none of its words may be lost. */
export function contrastPages(): [string, () => Promise<Buffer>][] {
  const pages: [string, () => Promise<Buffer>][] = []
  for (const [name, color] of Object.entries(highlightColors)) {
    for (const gap of [0, 1, 2.5]) pages.push([`lines in ${name}, gap ${gap}`, one(highlightedLines(color, gap))])
  }
  for (const tone of [0.35, 0.5, 0.6, 0.7, 0.8, 0.9]) {
    if (tone > 0.4) pages.push([`rows of ${tone} with black type`, one(shadedRows(tone, 0))])
    if (tone < 0.75) pages.push([`rows of ${tone} with white type`, one(shadedRows(tone, 1))])
    if (tone > 0.25 && tone < 0.75) pages.push([`black and white type on ${tone}`, one(bothOn(tone))])
  }
  pages.push(['bar charts', one(barChart())])
  for (const inner of [0, 90]) {
    for (const separated of [true, false]) {
      pages.push([`pie, ${separated ? 'separated' : 'closed'}, ${inner}`, one(pieChart(separated, inner))])
    }
  }
  for (const gap of [0, 1.5]) {
    for (const type of ['fitting', 'black', 'white'] as const) {
      pages.push([`heat map with ${type} type, gap ${gap}`, one(heatMap(gap, type))])
    }
  }
  for (const color of ['#BFBFBF', '#F4B183', '#9DC3E6', '#A9D18E', '#808080', '#FFC000']) {
    pages.push([`labeled shapes in ${color}`, one(labeledShapes(color))], [`body map in ${color}`, one(bodyMap(color))])
  }
  for (const tone of [0.3, 0.4, 0.5, 0.6]) {
    for (const high of [18, 30]) {
      pages.push([`title on ${tone}, ${high} points, beside a picture`, () => titleBesidePicture(tone, high)])
    }
  }
  pages.push(['dark page', one(dark(0, [1, 0.8, 0.6, 0.5, 0.35]))], ['gray page', one(dark(0.5, [0, 1, 0.1, 0.9]))])
  pages.push(['tinted page', one(dark(0.75, [0, 0.2, 0.4, 1]))], ['type of many tones', one(mixedType())])
  return pages
}
