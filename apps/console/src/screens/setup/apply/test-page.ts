const lines = [
  'FAXDECK TEST PAGE',
  '',
  'This page was sent to see whether faxes leave and arrive.',
  'It holds no patient data. Nothing needs to be done about it.',
]

/** One page of text that says what it is. */
export const testPage = () => new File([`${lines.join('\n')}\n`], 'faxdeck_test_page.txt', { type: 'text/plain' })
