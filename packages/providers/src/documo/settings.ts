import { checkWebAddress } from '@faxdeck/provider-kit'
import { settingRows } from '@faxdeck/settings'

const account = { provider: 'documo', group: 'provider' } as const

export const documoSettings = settingRows([
  {
    ...account,
    type: 'secret',
    key: 'documo_api_key',
    env: 'DOCUMO_API_KEY',
    at: 'documo.api_key',
    facts: { 'documo.configured': (value) => value !== null },
    label: 'Documo API key',
    help: 'From the Documo (mFax) console under Settings, API. Paste it as it is shown.',
    default: null,
  },
  {
    ...account,
    type: 'text',
    key: 'documo_base_url',
    env: 'DOCUMO_BASE_URL',
    at: 'documo.base_url',
    label: 'Documo base URL',
    help: 'Address of the Documo API. Not used with the sandbox.',
    default: 'https://api.documo.com',
    placeholder: 'https://api.documo.com',
    check: checkWebAddress,
  },
  {
    ...account,
    type: 'switch',
    key: 'documo_use_sandbox',
    env: 'DOCUMO_SANDBOX',
    envAliases: ['DOCUMO_USE_SANDBOX'],
    at: 'documo.sandbox',
    label: 'Use the Documo sandbox',
    help: 'Talks to the sandbox of Documo, which sends no real fax. The sandbox has API keys of its own.',
    default: false,
  },
])
