import { type LaidOut, nameOfBytes } from './flow/read/office-attachments.ts'
import type { MailKind } from './flow/read/read-mail.ts'
import { detectKind, type NamedKind, namedKindOf } from './kinds/kind.ts'
import { createOffice, type Office, type OfficeSetup, requireOffice } from './office/office.ts'
import { type OfficeFormat, officeFormatOf } from './kinds/office-format.ts'
import { ProgramFailed } from './office/run-bounded.ts'
import { checkBytes, type Limits } from './base/limits.ts'

export interface IntakeParts {
  limits: Limits
  /** Lays out a document whose kind is known by its name. */
  layOut: (kind: NamedKind, bytes: Uint8Array) => Promise<Uint8Array>
  /** The office documents attached to a mail. */
  findAttached: (kind: MailKind, bytes: Uint8Array) => Promise<Uint8Array[]>
  /** A mail as a PDF, with what LibreOffice made of its attachments. */
  layOutMail: (kind: MailKind, bytes: Uint8Array, laidOut: LaidOut) => Promise<Uint8Array>
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
  const made = await tryOffice(format, bytes, office, limits)
  if (!(made instanceof ProgramFailed)) return made
  if (format.isBuiltIn) return bytes
  throw requireOffice(format, made)
}

/** What LibreOffice makes of a document, or why it could not. */
async function tryOffice(
  format: OfficeFormat,
  bytes: Uint8Array,
  office: Office,
  limits: Limits,
): Promise<Uint8Array | ProgramFailed> {
  try {
    return await office.toPdf(format, bytes, limits)
  } catch (error) {
    if (!(error instanceof ProgramFailed)) throw error
    process.emitWarning(`LibreOffice could not lay out a document (.${format.ending}). ${error.message}`)
    return error
  }
}

/** A mail stays as it came unless it brings office documents. One that LibreOffice cannot read is treated as without it. */
async function fromMail(kind: MailKind, bytes: Uint8Array, office: Office, parts: IntakeParts): Promise<Uint8Array> {
  const laidOut: Record<string, Uint8Array> = {}
  for (const attached of await parts.findAttached(kind, bytes)) {
    const format = officeFormatOf(attached)
    const made = format && (await tryOffice(format, attached, office, parts.limits))
    if (made instanceof Uint8Array) laidOut[nameOfBytes(attached)] = made
  }
  return Object.keys(laidOut).length > 0 ? parts.layOutMail(kind, bytes, laidOut) : bytes
}

/** Makes PDF of what has to be laid out before it is kept. */
export function createIntake(parts: IntakeParts): Intake {
  const { limits, layOut, office: setup } = parts
  const office = setup && createOffice(setup)
  return async (bytes, fileName) => {
    checkBytes(bytes.length, limits)
    const named = namedKindOf(bytes, fileName)
    if (named) return layOut(named, bytes)
    const kind = office && detectKind(bytes)
    if (office && (kind === 'eml' || (kind === 'msg' && officeFormatOf(bytes) === undefined))) {
      return fromMail(kind, bytes, office, parts)
    }
    return fromOffice(bytes, office, limits)
  }
}
