const lines = [
  'FAXDECK TEST PAGE',
  '',
  'This page was sent to test sending and receiving faxes.',
  'It contains no patient data. No action is needed.',
]

/** One page of text that says what it is. */
export const testPage = () => new File([`${lines.join('\n')}\n`], 'faxdeck_test_page.txt', { type: 'text/plain' })
