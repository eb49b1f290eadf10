import { type NamedKind, namedKindOf } from './kind.ts'
import { checkBytes } from './worker/limits.ts'
import type { Limits } from './worker/limits.ts'

interface IntakeParts {
  limits: Limits
  /** Lays out what its name tells the kind of. */
  layOut: (kind: NamedKind, bytes: Uint8Array) => Promise<Uint8Array>
}

/** A document as it is to be kept: the bytes that were given, or the PDF that was made of them. */
export type Intake = (bytes: Uint8Array, fileName: string | null) => Promise<Uint8Array>

/** Makes PDF of what has to be laid out before it is kept. */
export function createIntake({ limits, layOut }: IntakeParts): Intake {
  return async (bytes, fileName) => {
    checkBytes(bytes.length, limits)
    const named = namedKindOf(bytes, fileName)
    return named ? layOut(named, bytes) : bytes
  }
}
