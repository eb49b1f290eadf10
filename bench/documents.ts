// Documents: what fax pages cost, and how long everything takes, beside Ghostscript and libtiff in the same run.
// Run: node bench/documents.ts (Node 24). The others are measured where they are installed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDocuments } from '../packages/documents/src/index.ts'
import { pageOfBarcodes } from './documents/barcodes.ts'
import { printBarcodes, printForeign } from './documents/foreign.ts'
import { judges, judgesInWords } from './documents/judges.ts'
import { printPageSizes } from './documents/page-sizes.ts'
import { printReadAgain } from './documents/read-again.ts'
import { printSpeeds } from './documents/speeds.ts'

const folder = mkdtempSync(join(tmpdir(), 'faxdeck-bench-'))
const documents = createDocuments()
try {
  console.log(`Beside ${judgesInWords()}.\n`)
  await printSpeeds(documents, folder)
  console.log('')
  await printPageSizes(documents, folder)
  console.log('')
  await printForeign(documents, folder)
  console.log('')
  if (judges.zbar) {
    await printBarcodes(documents, folder, pageOfBarcodes)
    console.log('')
  }
  if (judges.tesseract) await printReadAgain(documents, folder)
  else console.log('tesseract is not installed: nothing was read again.')
} finally {
  await documents.close()
  rmSync(folder, { recursive: true })
}
