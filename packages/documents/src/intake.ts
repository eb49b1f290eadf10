import { type NamedKind, namedKindOf } from './kind.ts'
import { createOffice, type Office, type OfficeSetup, requireOffice } from './office/office.ts'
import { officeFormatOf } from './office/office-format.ts'
import { ProgramFailed } from './office/run-bounded.ts'
import { checkBytes } from './worker/limits.ts'
import type { Limits } from './worker/limits.ts'

interface IntakeParts {
  limits: Limits
  /** Lays out what its name tells the kind of. */
  layOut: (kind: NamedKind, bytes: Uint8Array) => Promise<Uint8Array>
  /** LibreOffice, where it is installed. */
  office: OfficeSetup | undefined
}

/** A document as it is to be kept: the bytes that were given, or the PDF that was made of them. */
export type Intake = (bytes: Uint8Array, fileName: string | null) => Promise<Uint8Array>

/**
 * An office document as LibreOffice lays it out. Where it is not installed, or fails, the document stays as it is if there
 * is another way to lay it out, which says so in its notes.
 */
async function fromOffice(bytes: Uint8Array, office: Office | undefined, limits: Limits): Promise<Uint8Array> {
  const format = officeFormatOf(bytes)
  if (!format) return bytes
  if (!office) {
    if (format.isBuiltIn) return bytes
    throw requireOffice(format)
  }
  try {
    return await office.toPdf(format, bytes, limits)
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    process.emitWarning(`LibreOffice could not lay out a document (.${format.ending}). ${error.message}`)
    if (format.isBuiltIn) return bytes
    throw requireOffice(format, error)
  }
}

/** Makes PDF of what has to be laid out before it is kept. */
export function createIntake({ limits, layOut, office: setup }: IntakeParts): Intake {
  const office = setup && createOffice(setup)
  return async (bytes, fileName) => {
    checkBytes(bytes.length, limits)
    const named = namedKindOf(bytes, fileName)
    return named ? layOut(named, bytes) : fromOffice(bytes, office, limits)
  }
}
