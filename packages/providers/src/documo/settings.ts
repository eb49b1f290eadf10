import { checkE164, checkWebAddress } from '@faxdeck/provider-kit'
import { settingRows } from '@faxdeck/settings'

const checkCodes = (codes: string) =>
  /^\d+(\s*,\s*\d+)*$/.test(codes) ? undefined : 'Write numbers with commas between them, for example 6100, 6101.'
const checkPath = (path: string) =>
  /^\/[\x21-\x7e]*$/.test(path) ? undefined : 'Write the path from its first slash, for example /v1/me.'
const checkDownloadPath = (path: string) =>
  checkPath(path) ?? (path.includes('{id}') ? undefined : 'Write {id} where the id of the fax belongs.')

export const documoSettings = settingRows({ provider: 'documo', group: 'provider', at: 'documo' }, [
  {
    type: 'secret',
    key: 'documo_api_key',
    facts: { 'documo.configured': (value) => value !== null },
    label: 'Documo API key',
    help: 'From the Documo (mFax) console under Settings, API. Paste it as it is shown.',
  },
  {
    type: 'text',
    key: 'documo_base_url',
    label: 'Documo base URL',
    help: 'Address of the Documo API. Not used with the sandbox.',
    default: 'https://api.documo.com',
    placeholder: 'https://api.documo.com',
    check: checkWebAddress,
  },
  {
    type: 'switch',
    key: 'documo_use_sandbox',
    env: 'DOCUMO_SANDBOX',
    envAliases: ['DOCUMO_USE_SANDBOX'],
    at: 'documo.sandbox',
    label: 'Use the Documo sandbox',
    help: 'Talks to the sandbox of Documo, which sends no real fax. The sandbox has API keys of its own.',
    default: false,
  },
  {
    type: 'text',
    key: 'documo_webhook_user',
    label: 'Documo webhook user',
    help: 'User of the basic authentication that is switched on for the webhook in the Documo console.',
  },
  {
    type: 'secret',
    key: 'documo_webhook_password',
    label: 'Documo webhook password',
    help: 'Password of that basic authentication. Without user and password every webhook of Documo is refused.',
    drawn: true,
  },
  {
    type: 'text',
    key: 'documo_caller_id',
    label: 'Documo caller ID',
    help: 'The number faxes are sent from, in E.164 form. Leave it blank to use the one of the account.',
    placeholder: '+15551234567',
    check: checkE164,
  },
  {
    type: 'text',
    key: 'documo_busy_codes',
    label: 'Documo result codes: busy',
    help: 'Result codes of a busy line, with commas between them. Such faxes are tried again.',
    default: '6100',
    check: checkCodes,
  },
  {
    type: 'text',
    key: 'documo_line_error_codes',
    label: 'Documo result codes: no connection',
    help: 'Result codes of calls that never carried a page, with commas between them. Such faxes are tried again.',
    default: '6000',
    check: checkCodes,
  },
  {
    type: 'text',
    key: 'documo_account_path',
    label: 'Documo path: account',
    help: 'Called to check whether the API key is valid.',
    default: '/v1/me',
    check: checkPath,
  },
  {
    type: 'text',
    key: 'documo_download_path',
    label: 'Documo path: document',
    help: 'Where the document of a received fax is. {id} stands for the fax.',
    default: '/v1/fax/{id}/download?format=pdf',
    check: checkDownloadPath,
  },
  {
    type: 'text',
    key: 'documo_history_path',
    label: 'Documo path: list of faxes',
    help: 'Called to find faxes that no webhook reported.',
    default: '/v1/fax/history',
    check: checkPath,
  },
])
