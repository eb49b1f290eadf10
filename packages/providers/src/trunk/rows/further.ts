import { settingRows } from '@faxdeck/settings'
import { moreTrunksFault, passwordsFault } from '../more-trunks.ts'

const line = { provider: 'trunk', group: 'provider', advanced: true } as const

/** Further trunks, and the program. */
export const furtherRows = settingRows([
  {
    ...line,
    type: 'text',
    key: 'trunk_more',
    env: 'TRUNK_MORE',
    at: 'trunk.more',
    label: 'More trunks',
    help: 'Used in this order after the one above, separated by semicolons. Each is a name followed by host= and, as needed, user=, numbers=, to= (prefixes it serves, separated by commas), channels=, sign_in=ip and match=.',
    default: null,
    placeholder: 'backup host=sip.other.example user=1234 numbers=+15551230000 to=+1,+44 channels=4',
    check: moreTrunksFault,
  },
  {
    ...line,
    type: 'secret',
    key: 'trunk_more_passwords',
    env: 'TRUNK_MORE_PASSWORDS',
    at: 'trunk.more_passwords',
    label: 'Passwords of more trunks',
    help: 'As NAME=PASSWORD, separated by spaces, for example backup=s3cret.',
    default: null,
    check: passwordsFault,
  },
  {
    ...line,
    type: 'text',
    key: 'trunk_asterisk',
    env: 'TRUNK_ASTERISK',
    label: 'Asterisk program',
    help: 'Path of the Asterisk program, if it is not where packages put it. Read from the environment only, because it is run.',
    default: null,
    environmentOnly: true,
  },
])
