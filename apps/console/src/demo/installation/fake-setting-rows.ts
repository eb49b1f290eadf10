import { coreRows, settingRows, type SettingRow } from '@faxdeck/settings/forms'

/** The providers that a fake installation offers, by the names people know. */
export const fakeProviders = [
  { value: 'phaxio', label: 'Phaxio' },
  { value: 'sinch', label: 'Sinch' },
  { value: 'trunk', label: 'My own SIP trunk' },
  { value: 'sip', label: 'Asterisk (SIP)' },
  { value: 'freeswitch', label: 'FreeSWITCH' },
  { value: 'testline', label: 'Test line' },
] as const

const phaxio = { provider: 'phaxio', group: 'provider' } as const
const sinch = { provider: 'sinch', group: 'provider' } as const
const trunk = { provider: 'trunk', group: 'provider' } as const
const sip = { provider: 'sip', group: 'provider' } as const
const freeswitch = { provider: 'freeswitch', group: 'provider' } as const

const cloudRows = settingRows({ group: 'provider' }, [
  {
    ...phaxio,
    type: 'secret',
    key: 'phaxio_api_key',
    env: 'PHAXIO_API_KEY',
    at: 'phaxio.api_key',
    label: 'Phaxio API key',
    help: 'From the Phaxio console under API Credentials.',
    default: null,
  },
  {
    ...phaxio,
    type: 'secret',
    key: 'phaxio_api_secret',
    env: 'PHAXIO_API_SECRET',
    at: 'phaxio.api_secret',
    label: 'Phaxio API secret',
    help: 'Next to the API key in the Phaxio console.',
    default: null,
  },
  {
    ...phaxio,
    group: 'inbound',
    type: 'switch',
    key: 'phaxio_inbound_verify_signature',
    env: 'PHAXIO_INBOUND_VERIFY_SIGNATURE',
    at: 'inbound.phaxio.verify_signature',
    label: 'Verify faxes received through Phaxio',
    help: 'When off, anybody can put documents into the inbox.',
    default: true,
    words: { on: 'Signature required (recommended)', off: 'Not verified' },
  },
  {
    ...sinch,
    type: 'text',
    key: 'sinch_project_id',
    env: 'SINCH_PROJECT_ID',
    at: 'sinch.project_id',
    label: 'Sinch project ID',
    help: 'On the overview page of the Sinch dashboard.',
    default: null,
  },
  {
    ...sinch,
    group: 'inbound',
    type: 'secret',
    key: 'sinch_inbound_basic_pass',
    env: 'SINCH_INBOUND_BASIC_PASS',
    at: 'inbound.sinch.basic_pass',
    label: 'Password of the Sinch webhook',
    help: 'Without it, faxes received through Sinch are refused.',
    default: null,
    drawn: true,
  },
])

const switchRows = settingRows({ group: 'provider' }, [
  {
    ...sip,
    type: 'secret',
    key: 'ami_password',
    env: 'ASTERISK_AMI_PASSWORD',
    at: 'sip.ami_password',
    label: 'AMI password',
    help: 'The secret in manager.conf. Change it in both places.',
    default: 'changeme',
  },
  {
    ...sip,
    group: 'inbound',
    type: 'secret',
    key: 'asterisk_inbound_secret',
    env: 'ASTERISK_INBOUND_SECRET',
    at: 'inbound.sip.asterisk_secret',
    label: 'Internal secret',
    help: 'Asterisk proves itself with it when it hands over a received fax.',
    default: null,
    drawn: true,
  },
  {
    ...trunk,
    type: 'text',
    key: 'trunk_host',
    env: 'TRUNK_HOST',
    at: 'trunk.host',
    label: 'SIP server',
    help: "Your carrier's SIP server.",
    default: null,
    placeholder: 'sip.carrier.example',
  },
  {
    ...trunk,
    type: 'secret',
    key: 'trunk_password',
    env: 'TRUNK_PASSWORD',
    at: 'trunk.password',
    label: 'Password',
    help: 'The password of the trunk.',
    default: null,
  },
  {
    ...trunk,
    advanced: true,
    type: 'choice',
    key: 'trunk_t38',
    env: 'TRUNK_T38',
    at: 'trunk.t38',
    label: 'T.38',
    help: 'T.38 carries faxes as data and survives packet loss, which audio does not.',
    default: 'request',
    choices: [
      { value: 'request', label: 'T.38 first, fall back to audio (G.711)' },
      { value: 'auto', label: 'Audio first, T.38 when the other side asks' },
      { value: 'off', label: 'Audio only (G.711)' },
    ],
  },
  {
    ...freeswitch,
    type: 'number',
    key: 'freeswitch_esl_port',
    env: 'FREESWITCH_ESL_PORT',
    at: 'fs.esl_port',
    label: 'ESL port',
    help: 'The listen-port in event_socket.conf.xml.',
    default: 8021,
    min: 1,
    max: 65_535,
  },
])

/** The core rows themselves, and some rows of providers. */
export const fakeRows: readonly SettingRow[] = [...coreRows(fakeProviders), ...cloudRows, ...switchRows]
