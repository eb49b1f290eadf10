import { accessSync, constants, statSync } from 'node:fs'

/** Where packages and installers put it. */
const usualPlaces = [
  '/usr/bin/soffice',
  '/usr/local/bin/soffice',
  '/usr/lib/libreoffice/program/soffice',
  '/usr/lib64/libreoffice/program/soffice',
  '/opt/libreoffice/program/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
]

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/**
 * The path of LibreOffice: the one that is given, or the first that is found. Undefined when there is none, when it is
 * `off`, and on Windows, where its memory and time cannot be bounded as elsewhere.
 */
export function findOffice(given: string): string | undefined {
  if (given === 'off' || process.platform === 'win32') return undefined
  if (given !== '') return isProgram(given) ? given : undefined
  return usualPlaces.find(isProgram)
}
