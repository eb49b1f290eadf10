import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { sipSnippets } from './snippets.ts'

describe('the inbound dialplan', () => {
  const code = sipSnippets('/srv/faxdata/lines/sip')
    .map((each) => each.code)
    .join('')

  it('writes into the folder that Faxdeck reads, and posts to the address of this gateway', () => {
    expect(code).toContain('/srv/faxdata/lines/sip/inbox/${UNIQUEID}')
    expect(code).toContain('{base_url}/_internal/asterisk/inbound')
    expect(code).toContain('X-Internal-Secret: YOUR_INTERNAL_SECRET')
    for (const name of ['tiff_path', 'to_number', 'from_number', 'faxstatus', 'faxpages', 'uniqueid'])
      expect(code).toContain(`"${name}":`)
  })

  it('lets nothing that a caller chooses into a file name or JSON unfiltered', () => {
    const used = code.split('\n').filter((line) => /\$\{(EXTEN|CALLERID)/.test(line))
    expect(used.every((line) => line.includes('FILTER(+0-9,'))).toBe(true)
  })

  it('answers and hands over as the shipped dialplan does, which a real Asterisk has run', () => {
    const shipped = readFileSync(new URL('./asterisk/faxdeck.conf', import.meta.url), 'utf8')
      .replaceAll('n(direct)', 'n')
      .split('\n')
    const own = code
      .replaceAll('/srv/faxdata/lines/sip', '${FAXDECK_DIR}')
      .replaceAll('{base_url}/_internal/asterisk/inbound', '${FAXDECK_URL}')
      .replaceAll('YOUR_INTERNAL_SECRET', '${FAXDECK_SECRET}')
      .split('\n')
      .filter((line) => line !== '' && !line.includes('FAXDECK_NOTE={'))
    expect(own.filter((line) => !shipped.includes(line))).toEqual([])
  })
})
