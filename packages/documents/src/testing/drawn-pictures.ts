import sharp from 'sharp'
import type { Sharp } from 'sharp'

/** A picture in gray, a byte a pixel. */
export interface Drawn {
  pixels: Buffer
  width: number
  height: number
}

/** Numbers from 0 to 1, the same in every run. */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const clampTone = (tone: number) => Math.max(0, Math.min(255, Math.round(tone)))

/** A landscape with the tones a photograph has: a sky, a sun, hills, grain, and small things that are sharp. */
export function landscape(width = 900, height = 600): Drawn {
  const pixels = Buffer.alloc(width * height)
  const random = seeded(7)
  for (let at = 0; at < pixels.length; at++) {
    const [x, y] = [(at % width) / width, Math.floor(at / width) / height]
    let tone = 150 + 90 * y
    if (Math.hypot((x - 0.72) * 1.5, y - 0.22) < 0.1) tone = 250
    const hills = [0.52 + 0.08 * Math.sin(5 * x + 1), 0.64 + 0.06 * Math.sin(9 * x), 0.8 + 0.04 * Math.sin(14 * x + 2)]
    hills.forEach((edge, hill) => {
      if (y > edge) tone = 150 - 45 * hill + 18 * Math.sin(60 * x * (hill + 1)) * Math.cos(50 * y) - 40 * (y - edge)
    })
    if (y > 0.82 && (x * 40) % 1 < 0.18 && y < 0.82 + 0.12 * Math.abs(Math.sin(31 * x))) tone = 25
    pixels[at] = clampTone(tone + 14 * (random() - 0.5))
  }
  return { pixels, width, height }
}

/** Lines of pen strokes as a pen draws them by hand: loops of changing height, some of them struck out. */
export function handwriting(width: number, lines: number, seed = 3): string {
  const random = seeded(seed)
  const paths = Array.from({ length: lines }, (_, line) => {
    let [x, y] = [120, 150 + line * 92]
    let path = `M${x} ${y}`
    while (x < width - 220) {
      const [step, rise] = [14 + 14 * random(), (random() < 0.25 ? 58 : 26) + 8 * random()]
      path += ` q${step * 0.2} ${-rise} ${step * 0.7} ${-rise * 0.8} q${-step * 0.4} ${rise * 0.7} ${step * 0.5} ${rise * 0.8}`
      x += step * 1.2
      if (random() < 0.16) path += ` m${24 + 20 * random()} ${6 * random() - 3}`
      y += 2 * random() - 1
    }
    return `<path d="${path}" stroke-width="${3 + 1.4 * random()}"/>`
  })
  return `<g fill="none" stroke="#26305e" stroke-linecap="round">${paths.join('')}</g>`
}

/** A name as it is signed, in strokes of one pen. */
export const signature = (x: number, y: number, ink = '#1b2a6b') =>
  `<g fill="none" stroke="${ink}" stroke-linecap="round" transform="translate(${x} ${y})">` +
  '<path stroke-width="4" d="M0 60 C40 -80 90 -60 40 50 S10 90 60 40 S120 10 110 50 S150 70 160 30 S190 20 185 50 S230 60 240 20"/>' +
  '<path stroke-width="2.5" d="M240 20 C280 -60 300 60 260 70 S330 10 350 40 S420 20 520 10"/>' +
  '<path stroke-width="1.6" d="M-10 95 C160 70 360 80 540 62"/></g>'

/** A drawing (SVG without text) in gray on white. */
export async function drawSvg(width: number, height: number, content: string): Promise<Drawn> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${content}</svg>`
  const pixels = await sharp(Buffer.from(svg)).flatten({ background: '#fff' }).toColorspace('b-w').raw().toBuffer()
  return { pixels, width, height }
}

/** What a scanner makes of a sheet: paper that is not white and darker to one side, soft edges, grain, and dust. */
export async function scan({ pixels, width, height }: Drawn, seed = 5): Promise<Drawn> {
  const random = seeded(seed)
  const soft = await sharp(pixels, { raw: { width, height, channels: 1 } })
    .blur(0.7)
    .toColorspace('b-w')
    .raw()
    .toBuffer()
  for (let at = 0; at < soft.length; at++) {
    const paper = 238 - 22 * ((at % width) / width)
    soft[at] = clampTone((soft[at]! * paper) / 255 + 10 * (random() - 0.5))
  }
  for (let speck = 0; speck < soft.length / 15_000; speck++) {
    const at = Math.floor(random() * (soft.length - width - 2))
    for (const beside of random() < 0.5 ? [0] : [0, 1, width]) soft[at + beside] = 60
  }
  return { pixels: soft, width, height }
}

/** A picture as the image library takes it. */
export function imageOf({ pixels, width, height }: Drawn): Sharp {
  return sharp(pixels, { raw: { width, height, channels: 1 } }).toColorspace('b-w')
}
