import { execFileSync, spawnSync } from 'node:child_process'
import { dotsAcross, dotsDown, faxRows, faxWidth } from '../../packages/documents/src/raster/paper.ts'

/** What a program says of its version; undefined when it is not installed. */
function versionOf(program: string, option: string): string | undefined {
  const { error, stdout, stderr } = spawnSync(program, [option], { encoding: 'utf8' })
  return error ? undefined : (/\d+\.\d+(\.\d+)?/.exec(stdout + stderr)?.[0] ?? 'of an unknown version')
}

/** Versions of the programs that ours is compared with, or that read what was made. */
export const judges = {
  ghostscript: versionOf('gs', '--version'),
  libtiff: versionOf('tiff2pdf', '-h'),
  tesseract: versionOf('tesseract', '--version'),
  poppler: versionOf('pdftoppm', '-v'),
  mupdf: versionOf('mutool', '-v'),
  zbar: versionOf('zbarimg', '--version'),
}

/** "Ghostscript 10.00.0 (tiffg4) and libtiff 4.5.0". */
export function judgesInWords(): string {
  const { ghostscript, libtiff } = judges
  return `Ghostscript ${ghostscript ?? '(not installed)'} (tiffg4) and libtiff ${libtiff ?? '(not installed)'}`
}

const device = ['-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', '-sDEVICE=tiffg4', '-dPDFFitPage']

/** A PDF as fax pages on letter paper, of so many rows an inch, by a process of Ghostscript. */
export function tiffByGhostscript(pdf: string, tiff: string, rows = dotsDown.fine): void {
  const height = (faxRows('letter', 'fine') * rows) / dotsDown.fine
  run('gs', ...device, `-r${dotsAcross}x${rows}`, `-g${faxWidth}x${height}`, `-sOutputFile=${tiff}`, pdf)
}

const density = `${dotsAcross}`

/** The pages of a PDF in black and white at fine resolution, by a process of poppler. */
export function drawByPoppler(pdf: string, prefix: string): void {
  run('pdftoppm', '-mono', '-rx', density, '-ry', `${dotsDown.fine}`, pdf, prefix)
}

/** The same by a process of MuPDF, at nearly the same resolution both ways. */
export function drawByMupdf(pdf: string, pattern: string): void {
  run('mutool', 'draw', '-q', '-r', density, '-o', pattern, pdf)
}

/** A TIFF file as a PDF, by a process of libtiff. */
export function pdfByLibtiff(tiff: string, pdf: string): void {
  run('tiff2pdf', '-o', pdf, tiff)
}

/** The same pixels coded with T.6 by libtiff, in one strip. */
export function recodeByLibtiff(tiff: string, recoded: string): void {
  run('tiffcp', '-c', 'g4', '-r', '100000', tiff, recoded)
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'ignore' })
}
