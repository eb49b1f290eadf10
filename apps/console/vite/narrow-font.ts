import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

/** What the console and the names in it are written with: Latin-1, what typing adds to it, and the arrows of its texts. */
const characters: readonly [first: number, last: number][] = [
  [0x20, 0x7e],
  [0xa0, 0xff],
  [0x131, 0x131],
  [0x152, 0x153],
  [0x2c6, 0x2dc],
  [0x2010, 0x2044],
  [0x20ac, 0x20ac],
  [0x2122, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2215],
  [0xfffd, 0xfffd],
]
const text = characters
  .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at)))
  .join('')
/** The weights that style sheets ask for. */
const weights = { min: 400, max: 700 }

/** Leaves out of the text font what no screen shows: it is a quarter of what a first visit loads. */
export function narrowFont(): Plugin {
  return {
    name: 'faxdeck:narrow-font',
    apply: 'build',
    async generateBundle(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.woff2')) continue
        const options = { targetFormat: 'woff2', variationAxes: { wght: weights } } as const
        file.source = await subsetFont(Buffer.from(file.source), text, options)
      }
    },
  }
}
