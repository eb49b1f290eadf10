import { eachAround, paperTone } from '../raster/gray-tiles.ts'
import { drawHoles, type Drawing, drawInk, lightTones, replaceShades } from './local-ink.ts'
import { ground, type Judged } from './shades.ts'
import { kind } from './tile-kinds.ts'

/** Tones this near to the one of a shade belong to it. */
const sameTone = { even: 14, grained: 24 }

/** Draws the tiles again whose ground is not white paper, and the edges of shades in the tiles beside them. */
export function drawGrounds(drawing: Drawing, page: Judged): void {
  const { bitmap, gray, counts } = drawing
  const { found, grounds } = page
  for (let index = 0; index < grounds.length; index++) {
    const own = found.tones[index]!
    if (grounds[index] === ground.black) drawHoles(drawing, index, own)
    else if (grounds[index] === ground.white) {
      drawInk(drawing, index, own, shadesAround(page, index, ground.white))
    } else if (grounds[index] === ground.kept && found.kinds[index] === kind.picture) {
      replaceShades(bitmap, gray, index, lightTones, false)
    } else if (grounds[index] === ground.kept && counts.toned[index]! > 0) {
      const cleared = shadesAround(page, index, ground.white)
      const filled = shadesAround(page, index, ground.black)
      if (cleared) drawInk(drawing, index, 255, cleared)
      if (filled) replaceShades(bitmap, gray, index, filled, true)
    }
  }
}

/** Marks the tones of the shades around a tile that were decided in one way, but not its own; undefined without any. */
function shadesAround({ counts, found, grounds }: Judged, index: number, decided: number): Uint8Array | undefined {
  const { kinds, tones, grain } = found
  let marked: Uint8Array | undefined
  eachAround(counts, index, (beside) => {
    if (grounds[beside] !== decided || kinds[beside] !== kind.flat) return
    const tone = tones[beside]!
    // A shade like the own one is ground there already, and the edges of ink come near its tone.
    if (kinds[index] !== kind.plain && Math.abs(tone - tones[index]!) <= 2 * sameTone.even) return
    const within = grain[beside] === 1 ? sameTone.grained : sameTone.even
    marked ??= new Uint8Array(256)
    marked.fill(1, Math.max(0, tone - within), Math.min(paperTone, tone + within + 1))
  })
  return marked
}
