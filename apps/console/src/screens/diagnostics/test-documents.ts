import { testChart } from './test-chart.ts'
import { writePdf } from './write-pdf.ts'

/** Where every built-in test goes: the number that the test line delivers. Fictional everywhere else. */
export const testNumber = '+15555550123'

export const testKinds = ['text', 'image', 'fax'] as const
export type TestKind = (typeof testKinds)[number]

export const testWords: Record<TestKind, { button: string; what: string; failure: string }> = {
  text: { button: 'Send Test TXT', what: 'Two lines of text', failure: 'Test TXT fax failed to start' },
  image: { button: 'Send Test Image', what: 'A resolution chart', failure: 'Test image fax failed to start' },
  fax: { button: 'Send Test Fax', what: 'A one-page PDF', failure: 'Test fax failed to start' },
}

/** What a built-in test sends. */
export function testDocument(kind: TestKind): File {
  if (kind === 'text') {
    const lines = ['Faxdeck test fax', `Sent from the diagnostics screen at ${new Date().toISOString()}.`]
    return new File([`${lines.join('\n')}\n`], 'faxdeck_test.txt', { type: 'text/plain' })
  }
  if (kind === 'image') return new File([testChart()], 'faxdeck_test_image.tif', { type: 'image/tiff' })
  const pdf = writePdf(['Faxdeck test fax', 'If you can read this page, sending works.'])
  return new File([pdf], 'faxdeck_test.pdf', { type: 'application/pdf' })
}
