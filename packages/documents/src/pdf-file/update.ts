import { createHash } from 'node:crypto'
import { ObjectWriter } from './write.ts'

/** Objects put behind a file, with a cross-reference table of their own (ISO 32000-1, 7.5.6): numbers begin behind the highest. */
export class PdfUpdate extends ObjectWriter {
  /** The whole file. @param before where the cross-reference table of the file begins @param info what is said of it */
  finish(root: number, before: number, info?: number): Buffer {
    const id = createHash('sha256').update(this.written).digest('hex').slice(0, 32)
    return this.end(
      `/Root ${root} 0 R/Prev ${before}${info === undefined ? '' : `/Info ${info} 0 R`}/ID[<${id}><${id}>]`,
    )
  }
}
