import { headAt, PdfObjects } from './objects.ts'
import { findObjects, withTable } from './rebuild.ts'
import { readTables } from './tables.ts'

/** A PDF to be opened, and what it consists of. */
export interface CheckedFile {
  /** As it came, or with a cross-reference table behind it that is right. */
  file: Buffer
  /** Its table was missing or wrong. */
  isRepaired: boolean
  /** Undefined where it has no catalog. */
  objects: PdfObjects | undefined
}

/** Checks the place of every object that the tables of a PDF name, and finds the objects itself where one is wrong. */
export function checkFile(file: Buffer): CheckedFile {
  const tables = readTables(file)
  const objects = tables && new PdfObjects(file, tables.places, tables.trailer)
  const isRooted = objects && (objects.isEncrypted || objects.dictionary(objects.trailer.get('Root'))?.has('Pages'))
  const wrong = [...(tables?.places ?? [])].filter(
    ([number, place]) => 'at' in place && headAt(file, place.at)?.number !== number,
  )
  if (isRooted && wrong.length === 0) return { file, isRepaired: false, objects }
  const found = findObjects(file)
  // Some programs name objects that they left out; nothing is wrong as long as none is needed.
  const isRight = isRooted && wrong.every(([number]) => !found?.places.has(number))
  return isRight ? { file, isRepaired: false, objects } : repairFile(file, found)
}

/** A file whose objects are where they were found, whatever its tables say. */
export function repairFile(file: Buffer, objects = findObjects(file)): CheckedFile {
  return { file: objects ? withTable(objects) : file, isRepaired: true, objects }
}
