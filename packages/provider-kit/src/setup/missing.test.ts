import { settingRows } from '@faxdeck/settings'
import { describe, expect, it } from 'vitest'
import { missingOf } from './missing.ts'

const acme = { group: 'provider', help: '', default: null } as const
const rows = settingRows({ group: 'server' }, [
  { ...acme, type: 'text', key: 'acme_account', env: 'ACME_ACCOUNT', label: 'Account' },
  { ...acme, type: 'secret', key: 'acme_api_key', env: 'ACME_API_KEY', label: 'API key' },
  { ...acme, type: 'text', key: 'acme_note', env: 'ACME_NOTE', label: 'Note' },
])
const missing = missingOf('Acme', rows, ['acme_account', 'acme_api_key'])

describe('missingOf', () => {
  it('is content when everything needed is there', () => {
    expect(missing({ acme_account: '1', acme_api_key: 'k', acme_note: null })).toBeUndefined()
  })

  it('names the one setting that is missing, as label and variable', () => {
    expect(missing({ acme_account: '1', acme_api_key: null })).toBe(
      'Acme cannot be used yet: API key (ACME_API_KEY) is not set. Set what is missing under Settings, or in the environment.',
    )
  })

  it('lists several and takes an empty text for missing', () => {
    expect(missing({ acme_account: '' })).toContain('Account (ACME_ACCOUNT) and API key (ACME_API_KEY) are not set')
  })
})
