import { createBitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { PdfDocument } from '../pdf/document.ts'
import { startPdfium } from '../pdf/engine.ts'
import { encodeT6 } from '../t4-t6/t6-encode.ts'
import { highlightColors } from './contrast-pages.ts'
import { type Drawn, scan, seeded } from './drawn-pictures.ts'
import { bytesOf, type ForeignPage, pickOf, type Random, rgb, text, wordsOf } from './foreign-parts.ts'
import { foreignAlphabets, letterOf, smallType } from './foreign-writings.ts'
import { jpegStream } from './made-pages.ts'
import { pdfOf, streamOf } from './pdf-samples.ts'

const standard = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}>>`
const chinese =
  '<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UCS2-H/DescendantFonts[<</Type/Font' +
  '/Subtype/CIDFontType0/BaseFont/STSong-Light/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>/DW 1000>>]>>'
const fonts =
  `/R${standard('Times-Roman')}/I${standard('Times-Italic')}/B${standard('Helvetica-Bold')}` +
  `/M${standard('Courier')}/C${chinese}${foreignAlphabets}`

const hanzi = '病人血压检查结果正常每日两次饭后服用请于下周复诊化验单姓名年龄科室医生'

/** A paper as TeX sets it: two narrow columns of Times with formulas, a plot, a table and notes in small type. */
function paper(random: Random): ForeignPage {
  const lines = [
    '0 g',
    text('R', 15, 130, 735, `On the ${wordsOf(random, 4)}`),
    text('I', 9, 220, 716, wordsOf(random, 4)),
  ]
  const size = 8 + 2 * random()
  for (const left of [54, 316]) {
    for (let y = 690; y > 330; y -= size * 1.17) {
      if (random() < 0.08) {
        lines.push(text('I', size, left + 60, y, 'f'), text('R', size * 0.7, left + 66, y - 2, 'n + 1'))
        lines.push(
          text('R', size, left + 84, y, `= ${Math.floor(900 * random())} x`),
          text('R', size * 0.7, left + 122, y + 4, '2'),
        )
      } else lines.push(text(random() < 0.06 ? 'I' : 'R', size, left, y, wordsOf(random, 7)))
    }
  }
  const points = Array.from(
    { length: 40 },
    (_, at) => `${(70 + 5 * at).toFixed(1)} ${(200 + 80 * random()).toFixed(1)} ${at === 0 ? 'm' : 'l'}`,
  )
  lines.push(`0.4 w 70 190 200 110 re S 0.1 0.3 0.7 RG 0.6 w ${points.join(' ')} S 0 G`)
  for (let tick = 0; tick < 5; tick++) lines.push(text('R', 6.5, 66 + 50 * tick, 180, `${tick * 25}`))
  for (let row = 0; row < 9; row++) lines.push(text('R', 8, 330, 300 - 11 * row, wordsOf(random, 4)))
  lines.push('0.3 w 326 310 m 550 310 l S 326 196 m 550 196 l S', text('R', 7, 60, 90, `1. ${wordsOf(random, 9)}`))
  return { content: lines.join('\n') }
}

/** A colored map: areas with borders, cased roads, rivers and labels in small type. */
function map(random: Random): ForeignPage {
  const lines: string[] = []
  const label = (size: number, x: number, y: number, blue = false) =>
    lines.push(blue ? rgb(0, 0.15, 0.5) : '0 g', text('F1', size, x, y, wordsOf(random, 1)))
  const place = () => `${(40 + 530 * random()).toFixed(1)} ${(60 + 680 * random()).toFixed(1)}`
  const [columns, rows] = [6, 8]
  const corners = Array.from({ length: (columns + 1) * (rows + 1) }, (_, at) => {
    const [column, row] = [at % (columns + 1), Math.floor(at / (columns + 1))]
    return `${(40 + (532 / columns) * (column + 0.5 * random())).toFixed(1)} ${(50 + (690 / rows) * (row + 0.5 * random())).toFixed(1)}`
  })
  for (let at = 0; at < corners.length - columns - 2; at++) {
    if (at % (columns + 1) === columns) continue
    const light = () => 0.55 + 0.42 * random()
    const outline = [at, at + 1, at + columns + 2, at + columns + 1].map((corner) => corners[corner]!)
    lines.push(
      `${rgb(light(), light(), light())} 0.4 G 0.5 w ${outline.map((corner, n) => `${corner} ${n ? 'l' : 'm'}`).join(' ')} b`,
    )
  }
  for (let road = 0; road < 30; road++) {
    const course = `${place()} m ${place()} ${place()} ${place()} c S`
    lines.push(
      `0.35 G ${(2.6 + random()).toFixed(1)} w ${course} ${pickOf(random)(['1 0.9 0.3', '1 1 1', '1 0.7 0.4'])} RG 1.6 w ${course}`,
    )
  }
  for (let contour = 0; contour < 600; contour++) {
    const [x, y] = [45 + 500 * random(), 70 + 640 * random()]
    const near = () => `${(x + 40 * random() - 20).toFixed(1)} ${(y + 40 * random() - 20).toFixed(1)}`
    lines.push(`0.45 G 0.3 w ${near()} m ${near()} ${near()} ${near()} c S`)
  }
  for (let at = 0; at < 60; at++) label(6 + 3 * random(), 50 + 480 * random(), 70 + 660 * random(), at % 7 === 0)
  return { content: lines.join('\n') }
}

/** A form: shaded headings, fields with frames, boxes with crosses, values in typewriter letters. */
function form(random: Random): ForeignPage {
  const lines = ['0 g', text('B', 15, 54, 742, `Request for ${wordsOf(random, 2)}`)]
  for (let part = 0; part < 4; part++) {
    const y = 700 - part * 165
    const [tone, type] = pickOf(random)([
      [0.85, 0],
      [0.7, 0],
      [0.4, 1],
      [0.2, 1],
      [0, 1],
    ] as const)
    lines.push(
      `${tone} g 54 ${y} 504 15 re f ${type} g ${text('B', 9, 58, y + 4, `Part ${part + 1} ${wordsOf(random, 4)}`)} 0 g`,
    )
    for (let row = 0; row < 4; row++) {
      const at = y - 32 - row * 31
      for (const [left, width] of [
        [54, 240],
        [302, 120],
        [430, 128],
      ] as const) {
        lines.push(
          `0.6 w ${left} ${at} ${width} 26 re S 0.35 g ${text('F1', 6, left + 3, at + 19, wordsOf(random, 3))} 0 g`,
        )
        lines.push(text('M', 9.5, left + 6, at + 6, wordsOf(random, width > 200 ? 4 : 1)))
      }
      if (random() < 0.4)
        lines.push(`0.7 w 520 ${at + 4} 9 9 re S 521 ${at + 5} m 528 ${at + 12} l S 521 ${at + 12} m 528 ${at + 5} l S`)
    }
  }
  return { content: lines.join('\n') }
}

/** A letter in which some lines and words are highlighted. */
function highlighted(random: Random): ForeignPage {
  const colors = Object.values(highlightColors)
  const lines: string[] = []
  const size = 9 + 3 * random()
  for (let y = 735; y > 60; y -= size * 1.35) {
    const from = random() < 0.5 ? 0 : 80 * random()
    if (random() < 0.5) {
      const [height, width] = [size * (1 + 0.35 * random()), 120 + 320 * random()]
      lines.push(
        `${rgb(...bytesOf(pickOf(random)(colors)))} ${(60 + from).toFixed(1)} ${(y - size * 0.25).toFixed(1)} ${width.toFixed(1)} ${height.toFixed(1)} re f`,
      )
    }
    lines.push('0 g', text('F1', size, 62, y, wordsOf(random, 9)))
  }
  return { content: lines.join('\n') }
}

/** A report in Chinese whose font is not embedded, with figures in Helvetica. */
function cjk(random: Random): ForeignPage {
  const lines = ['0 g']
  for (let y = 730; y > 80; y -= 24) {
    const shown = Array.from({ length: 22 }, () =>
      pickOf(random)(hanzi).charCodeAt(0).toString(16).padStart(4, '0'),
    ).join('')
    lines.push(`BT /C 13 Tf 60 ${y} Td <${shown}> Tj ET`, text('F1', 11, 480, y, `${Math.floor(1000 * random())} mg`))
  }
  return { content: lines.join('\n') }
}

/** A table with shaded rows, columns and totals. */
function table(random: Random): ForeignPage {
  const columns = 4 + Math.floor(4 * random())
  const [across, tones] = [500 / columns, [0.95, 0.9, 0.8, 0.65, 0.5].slice(Math.floor(3 * random()))]
  const lines = [`${(0.45 * random()).toFixed(2)} g 56 724 500 18 re f 1 g`]
  for (let column = 0; column < columns; column++)
    lines.push(text('B', 9, 60 + column * across, 729, wordsOf(random, 1)))
  for (let row = 0; row < 36; row++) {
    const y = 708 - row * 17
    if (row % 2 === 0) lines.push(`${pickOf(random)(tones)} g 56 ${y - 5} 500 17 re f`)
    lines.push('0 g 0 G 0.3 w', `56 ${y - 5} m 556 ${y - 5} l S`)
    for (let column = 0; column < columns; column++) {
      const shown = column === 0 ? wordsOf(random, 1) : (2000 * random()).toFixed(2)
      lines.push(text('F1', 8, 60 + column * across, y, shown))
    }
  }
  return { content: lines.join('\n') }
}

/** A page as a scanner sees it, and its words once more where they stand, as text that is not drawn. */
async function scanned(random: Random, asImage: (drawn: Drawn) => Promise<string>, degrees = 0): Promise<ForeignPage> {
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)]
  // Askew around the middle of the page.
  const [x, y] = [306 - 306 * cos + 396 * sin, 396 - 306 * sin - 396 * cos]
  const askew = [cos, sin, -sin, cos, x, y].map((part) => part.toFixed(5)).join(' ')
  const content = `${askew} cm\n${paper(random).content}`
  const [width, height] = [1700, 2200]
  const document = new PdfDocument(await startPdfium(), foreignPdf([{ content }]), defaultLimits)
  // The fax page is wider than the scan.
  const place = { left: 0, top: 0, width, height, turned: false }
  const pixels = document.render(0, place, height, (gray) => {
    const rows = Array.from({ length: height }, (_, y) => gray.pixels.subarray(y * gray.width, y * gray.width + width))
    return Buffer.concat(rows)
  })
  document.close()
  const image = await asImage({ pixels, width, height })
  return {
    content: `q BT 3 Tr ET\n${content.replace(/[^\n]* (S|re f)( 0 G)?(?=\n|$)/g, '')}\nBT 0 Tr ET Q q 612 0 0 792 0 0 cm /X Do Q`,
    image,
  }
}

/** Black and white as scanners send it to a file: T.6, with dust. */
async function bilevelImage({ pixels, width, height }: Drawn, dust = 0.0003): Promise<string> {
  const bitmap = createBitmap(width, height)
  const random = seeded(11)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [at % width, Math.floor(at / width)]
    if (pixels[at]! < 128 || random() < dust) bitmap.words[y * bitmap.rowWords + (x >> 5)]! |= 1 << (31 - (x & 31))
  }
  const data = Buffer.from(encodeT6(bitmap)).toString('latin1')
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode`
  return streamOf(data, `/Type/XObject/Subtype/Image${entries}/DecodeParms<</K -1/Columns ${width}/Rows ${height}>>`)
}

/** Pages like those of other programs, by class; each number gives another page of it, the same in every run. */
export const foreignClasses = {
  'black and white scan': (random) => scanned(random, (drawn) => bilevelImage(drawn)),
  'skewed and dusty scan': (random) => scanned(random, (drawn) => bilevelImage(drawn, 0.003), 4 * random() - 2),
  'gray scan': (random) => scanned(random, async (drawn) => jpegStream(await scan(drawn), 75)),
  'TeX paper': async (random) => paper(random),
  'color map': async (random) => map(random),
  form: async (random) => form(random),
  'highlighted text': async (random) => highlighted(random),
  'shaded table': async (random) => table(random),
  'Chinese report': async (random) => cjk(random),
  'small type': async (random) => smallType(random),
  'Polish letter': async (random) => letterOf('Polish', random),
  'Cyrillic letter': async (random) => letterOf('Cyrillic', random),
  'Greek letter': async (random) => letterOf('Greek', random),
} as const satisfies Record<string, (random: Random) => Promise<ForeignPage>>

export type ForeignClass = keyof typeof foreignClasses

/** Some pages of a class, beginning with that of `number`; those with an image show the first one's. */
export async function foreignPdfOf(name: ForeignClass, number: number, count = 1): Promise<Buffer> {
  const made = foreignClasses[name]
  const hasImage = name.endsWith('scan')
  const first = await made(seeded(1000 * (number + 1)))
  const others = Array.from({ length: count - 1 }, async (_, at) =>
    hasImage ? first : made(seeded(1000 * (number + 2 + at))),
  )
  return foreignPdf([first, ...(await Promise.all(others))])
}

function foreignPdf(pages: readonly ForeignPage[]): Buffer {
  const image = pages[0]?.image
  return pdfOf(
    pages.map(({ content }) => ({ content, fonts })),
    image === undefined ? [] : [image],
  )
}
