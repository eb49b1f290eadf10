import { checkHost } from '@faxdeck/provider-kit'
import { settingRows } from '@faxdeck/settings'
import { numbersFault } from '../numbers.ts'

const line = { provider: 'trunk', group: 'provider' } as const

/** The account at the carrier. */
export const accountRows = settingRows([
  {
    ...line,
    type: 'text',
    key: 'trunk_host',
    env: 'TRUNK_HOST',
    at: 'trunk.host',
    label: 'SIP server',
    help: "Your carrier's SIP server, as the carrier names it: a host name or an address, with :port only if it is not the usual one.",
    default: null,
    placeholder: 'sip.carrier.example',
    check: (value) => checkHost(value.replace(/:\d{1,5}$/, '')),
  },
  {
    ...line,
    type: 'text',
    key: 'trunk_user',
    env: 'TRUNK_USER',
    at: 'trunk.user',
    label: 'User',
    help: 'The user name of the trunk. Leave it blank if the carrier trusts your IP address.',
    default: null,
    check: (value) =>
      /^[!-~]{1,80}$/.test(value) ? undefined : 'Write the user name without spaces, up to 80 characters.',
  },
  {
    ...line,
    type: 'secret',
    key: 'trunk_password',
    env: 'TRUNK_PASSWORD',
    at: 'trunk.password',
    label: 'Password',
    help: 'The password of the trunk. Leave it blank if the carrier trusts your IP address.',
    default: null,
  },
  {
    ...line,
    type: 'text',
    key: 'trunk_numbers',
    env: 'TRUNK_NUMBERS',
    at: 'trunk.numbers',
    label: 'Your fax numbers',
    help: 'In E.164 form, separated by commas. The first one is your caller ID; leave it blank and the carrier shows the number of the account. A number may be followed by = and the station ID (CSID) that callers see, for example +15551234567=ACME FAX.',
    default: null,
    placeholder: '+15551234567, +15557654321',
    check: numbersFault,
  },
  {
    ...line,
    type: 'choice',
    key: 'trunk_sign_in',
    env: 'TRUNK_SIGN_IN',
    at: 'trunk.sign_in',
    label: 'Sign-in',
    help: 'Most carriers want a registration with user and password. Others trust the IP address of your network.',
    default: 'register',
    choices: [
      { value: 'register', label: 'Registration with user and password' },
      { value: 'ip', label: 'The carrier trusts our IP address' },
    ],
  },
  {
    ...line,
    type: 'number',
    key: 'trunk_channels',
    env: 'TRUNK_CHANNELS',
    at: 'trunk.channels',
    label: 'Channels',
    help: 'How many calls your contract allows at once, sent and received together. Faxdeck never dials more.',
    default: 2,
    min: 1,
    max: 200,
  },
])
