import type { Inspection } from '@faxdeck/documents'
import { Problem } from '../http/answers/problem.ts'
import { isSheetCode } from './code.ts'

/**
 * A scan that is to be split, sent as one fax, would bring all its pages to one number, and the sheets with the names and
 * numbers of the others. Its first page is a sheet: splitting takes no other.
 * @throws {Problem} `bad_document`
 */
export function assertNoSheet({ firstCodes = [] }: Inspection): void {
  if (!firstCodes.some(isSheetCode)) return
  throw new Problem(
    'bad_document',
    'Page 1 is a separator sheet. Choose “Split at separator sheets” to send each part to the number on its sheet, or remove the sheets to send one fax. Nothing was sent.',
  )
}
