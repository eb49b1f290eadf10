import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const licenseFile = /^(licen[cs]e|copying|notice)/i

/** The license texts that a package brings, its notices behind them. */
function textsOf(folder) {
  if (!existsSync(folder)) return []
  const names = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isFile() && licenseFile.test(entry.name),
  )
  return names.map(({ name }) => readFileSync(join(folder, name), 'utf8').trim()).toSorted()
}

/**
 * The licenses of everything that is shipped: name, version, license and its text. Packages for other platforms are
 * named without a text, because they are not installed here.
 * @param {string} root the repository, with its dependencies installed
 * @returns {string} for THIRD-PARTY-LICENSES.txt
 */
export function thirdPartyLicenses(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const shipped = Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.link && !entry.dev && !entry.devOptional)
    .map(([path, { version, license = 'not stated' }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { title: `${name} ${version} (${license})`, text: textsOf(join(root, path)).join('\n\n') }
    })
  const sections = shipped
    .toSorted((a, b) => (a.title < b.title ? -1 : 1))
    .map(({ title, text }) => {
      return `${title}\n${'='.repeat(title.length)}\n${text === '' ? '' : `\n${text}\n`}`
    })
  const [fonts, ocr] = ['fonts', 'ocr'].map((folder) =>
    readFileSync(join(root, `packages/documents/${folder}/LICENSE`), 'utf8').trim(),
  )
  return `Faxdeck is distributed with the software below, each under its own license.\n\n${sections.join('\n')}\nDejaVu fonts\n============\n\n${fonts}\n\nData of Tesseract\n=================\n\n${ocr}\n`
}
