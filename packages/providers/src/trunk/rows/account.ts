import { checkHost } from '@faxdeck/provider-kit'
import { choicesOf, settingRows } from '@faxdeck/settings'
import { numbersFault } from '../numbers.ts'

/** The account at the carrier. */
export const accountRows = settingRows({ provider: 'trunk', group: 'provider', at: 'trunk' }, [
  {
    type: 'text',
    key: 'trunk_host',
    label: 'SIP server',
    help: "Your carrier's SIP server, as the carrier names it: a host name or an address, with :port only if it is not the usual one.",
    placeholder: 'sip.carrier.example',
    check: (value) => checkHost(value.replace(/:\d{1,5}$/, '')),
  },
  {
    type: 'text',
    key: 'trunk_user',
    label: 'User',
    help: 'The user name of the trunk. Leave it blank if the carrier trusts your IP address.',
    check: (value) =>
      /^[!-~]{1,80}$/.test(value) ? undefined : 'Write the user name without spaces, up to 80 characters.',
  },
  {
    type: 'secret',
    key: 'trunk_password',
    label: 'Password',
    help: 'The password of the trunk. Leave it blank if the carrier trusts your IP address.',
  },
  {
    type: 'text',
    key: 'trunk_numbers',
    label: 'Your fax numbers',
    help: 'In E.164 form, separated by commas. The first one is your caller ID; leave it blank and the carrier shows the number of the account. A number may be followed by = and the station ID (CSID) that callers see, for example +15551234567=ACME FAX.',
    placeholder: '+15551234567, +15557654321',
    check: numbersFault,
  },
  {
    type: 'choice',
    key: 'trunk_sign_in',
    label: 'Sign-in',
    help: 'Most carriers want a registration with user and password. Others trust the IP address of your network.',
    default: 'register',
    choices: choicesOf({ register: 'Registration with user and password', ip: 'The carrier trusts our IP address' }),
  },
  {
    type: 'number',
    key: 'trunk_channels',
    label: 'Channels',
    help: 'How many calls your contract allows at once, sent and received together. Faxdeck never dials more.',
    default: 2,
    min: 1,
    max: 200,
  },
])
