import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultLimits } from '../../packages/documents/src/limits.ts'
import { madePages } from '../../packages/documents/src/testing/made-pages.ts'
import { readTiff } from '../../packages/documents/src/tiff-read.ts'

const device = ['-sDEVICE=tiffg4', '-r204x196', '-g1728x2156', '-dPDFFitPage']
/** Seconds that bytes of a page take on the line, at the rates of V.17 and V.34. */
const seconds = (bytes, rate) => ((bytes * 8) / rate).toFixed(1)
const columns = ['page', 'Faxdeck, bytes', 's at 14,400', 's at 33,600', 'Ghostscript, bytes', 's', 's', 'of its bytes']

/** Prints a Markdown table: each made page as Faxdeck codes it and, where it is installed, as Ghostscript does. */
export async function comparePages(documents, folder, setup, hasGhostscript) {
  const rows = []
  for (const [name, make] of Object.entries(madePages)) {
    const pdf = join(folder, 'page.pdf')
    writeFileSync(pdf, await make())
    const { sizes } = await documents.toTiff({ path: pdf }, join(folder, 'page.tif'), setup)
    const ours = sizes[0].bytes
    const theirs = hasGhostscript ? byGhostscript(pdf, join(folder, 'gs.tif')) : undefined
    const beside = theirs
      ? [theirs, seconds(theirs, 14_400), seconds(theirs, 33_600), `${Math.round((100 * ours) / theirs)} %`]
      : ['', '', '', '']
    rows.push([name, ours, seconds(ours, 14_400), seconds(ours, 33_600), ...beside])
  }
  const line = (cells) => `| ${cells.join(' | ')} |`
  const version = hasGhostscript ? execFileSync('gs', ['--version'], { encoding: 'utf8' }).trim() : 'not installed'
  console.log(`\nBytes a page at 204 × 196 dots an inch, beside Ghostscript ${version} (tiffg4):\n`)
  console.log([line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n'))
}

function byGhostscript(pdf, tiff) {
  execFileSync('gs', ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', ...device, `-sOutputFile=${tiff}`, pdf])
  const [page] = readTiff(readFileSync(tiff), defaultLimits)
  return page.strips.reduce((sum, { length }) => sum + length, 0)
}
