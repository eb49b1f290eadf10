import { choicesOf, settingRows } from '@faxdeck/settings'
import { callerIdFault } from '../caller-ids.ts'

const digits = (longest: number, example: string) => (value: string) =>
  new RegExp(`^\\+?\\d{0,${longest}}$`).test(value)
    ? undefined
    : `Write up to ${longest} digits, for example ${example}.`

/** How numbers are dialed, and what the other side sees. */
export const dialingRows = settingRows({ provider: 'trunk', group: 'provider', advanced: true, at: 'trunk' }, [
  {
    type: 'text',
    key: 'trunk_international_prefix',
    label: 'International prefix',
    help: 'Dialed before the country code: + for most carriers, otherwise 00, 011, or the word none.',
    default: '+',
    check: (value) => (value === 'none' ? undefined : digits(5, '00 or +')(value)),
  },
  {
    type: 'text',
    key: 'trunk_country_code',
    label: 'Own country code',
    help: 'Set it only if your carrier wants numbers of your own country dialed without the country code, for example 49.',
    placeholder: '49',
    check: (value) => (/^[1-9]\d{0,2}$/.test(value) ? undefined : 'Write 1 to 3 digits, for example 49.'),
  },
  {
    type: 'text',
    key: 'trunk_national_prefix',
    label: 'National prefix',
    help: 'Dialed before numbers of your own country when the country code is left out, for example 0.',
    placeholder: '0',
    check: digits(5, '0'),
  },
  {
    type: 'text',
    key: 'trunk_dial_prefix',
    label: 'Prefix for an outside line',
    help: 'Digits before every number, where a telephone system wants them. Most trunks want none.',
    placeholder: '9',
    check: digits(8, '9'),
  },
  {
    type: 'text',
    key: 'trunk_caller_ids',
    label: 'Caller ID by destination',
    help: 'Which of your numbers is shown to which destinations, as PREFIX=NUMBER separated by commas. All others see the first number.',
    placeholder: '+49=+493012345, +1=+15551234567',
    check: callerIdFault,
  },
  {
    type: 'choice',
    key: 'trunk_identity',
    label: 'Caller ID header',
    help: 'Where the carrier looks for your number. Choose the second if calls are refused or show your user name.',
    default: 'from',
    choices: choicesOf({ from: 'From', account: 'P-Asserted-Identity, with the user name in From' }),
  },
])
