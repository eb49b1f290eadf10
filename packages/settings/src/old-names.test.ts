import { expect, it } from 'vitest'
import { adviceAbout, unknownVariables } from './old-names.ts'
import { coreRows } from './rows.ts'

const rows = coreRows([{ value: 'phaxio', label: 'Phaxio' }])

it('finds variables that look like settings and are none, and nothing else', () => {
  const env = {
    FAX_BACKEND: 'phaxio',
    FAX_BAKEND: 'x',
    TEST_FAX_NUMBER: '1',
    FAX_EMPTY: ' ',
    HOME: '/',
    FAXDECK_URL: 'x',
  }
  expect(unknownVariables(rows, env)).toEqual(['FAX_BAKEND', 'TEST_FAX_NUMBER'])
})

it('says what takes the place of an old variable', () => {
  expect(adviceAbout('SINCH_WEBHOOK_SECRET')).toContain('SINCH_INBOUND_BASIC_USER')
  expect(adviceAbout('HUMBLEFAX_ACCESS_KEY')).toContain('HumbleFax is not supported')
  expect(adviceAbout('FAX_BAKEND')).toBe('It is not a setting of Faxdeck.')
})
