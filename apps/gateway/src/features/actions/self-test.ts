import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Documents } from '@faxdeck/documents'
import { type Output, success, wrong } from './action.ts'

const text = `Faxdeck conversion self-test\n\n${'The quick brown fox jumps over the lazy dog 0123456789. '.repeat(40)}\n\f\nSecond page.\n`
const pdfMark = '%PDF-'

async function measured<T>(work: Promise<T>): Promise<{ value: T; took: string }> {
  const begun = performance.now()
  const value = await work
  return { value, took: `${Math.round(performance.now() - begun)} ms` }
}

async function convert(documents: Documents, directory: string, signal: AbortSignal): Promise<Output> {
  const source = Buffer.from(text)
  const target = join(directory, 'pages.tiff')
  const paper = 'letter' as const
  const tiff = await measured(documents.toTiff(source, target, { resolution: 'fine', paper }, signal))
  const back = await measured(documents.tiffToPdf(await readFile(target)))
  signal.throwIfAborted()
  const seen = await measured(documents.inspect(back.value))
  const { pages, bytes } = tiff.value
  if (Buffer.from(back.value.subarray(0, pdfMark.length)).toString('latin1') !== pdfMark) {
    return wrong('The pages did not become a PDF.')
  }
  if (seen.value.pages !== pages) {
    return wrong(`A text of ${pages} pages came back as a PDF of ${seen.value.pages}.`)
  }
  return success([
    `text to fax pages   ${pages} pages, ${bytes} bytes, ${tiff.took}`,
    `fax pages to PDF    ${back.value.byteLength} bytes, ${back.took}`,
    `PDF opened again    ${seen.value.pages} pages, ${seen.took}`,
    'Conversion works.',
  ])
}

/** Sends a text of its own through every conversion that a fax takes, and back. */
export async function testConversion(documents: Documents, signal: AbortSignal): Promise<Output> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-self-test-'))
  try {
    return await convert(documents, directory, signal)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
