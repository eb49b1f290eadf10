import type { Inspection } from '@faxdeck/documents'
import { Problem } from '../../base/http/answers/problem.ts'
import { SealBroken, type Seals } from '../../base/settings/seal.ts'

/** What a separator sheet says. */
export interface SheetContent {
  /** In E.164 form. */
  to: string
  reference: string | null
}

/** What the codes of our sheets begin with, those of other installations too. */
const prefix = 'FAXDECK:'
const sealName = 'separator'

/**
 * The text of the QR codes on a sheet. It is sealed: nobody else can make one that this installation takes, and a code that
 * happens to be in a document starts no fax. What it says cannot be read with a telephone either.
 */
export function writeCode(seals: Seals, { to, reference }: SheetContent): string {
  return prefix + seals.seal(sealName, `${to}\n${reference ?? ''}`)
}

/** Whether the text of a code is that of a separator sheet, of this installation or another. */
export const isSheetCode = (text: string): boolean => text.startsWith(prefix)

/** What a code says; `foreign` when another installation printed it, undefined when it is not one of a sheet. */
export function readCode(seals: Seals, text: string): SheetContent | 'foreign' | undefined {
  if (!isSheetCode(text)) return undefined
  try {
    const [to = '', reference = ''] = seals.unseal(sealName, text.slice(prefix.length)).split('\n')
    return { to, reference: reference === '' ? null : reference }
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    return 'foreign'
  }
}

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
