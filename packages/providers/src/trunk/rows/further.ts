import { settingRows } from '@faxdeck/settings'
import { moreTrunksFault, passwordsFault } from '../more-trunks.ts'

/** Further trunks, and the program. */
export const furtherRows = settingRows({ provider: 'trunk', group: 'provider', advanced: true, at: 'trunk' }, [
  {
    type: 'text',
    key: 'trunk_more',
    label: 'More trunks',
    help: 'Used in this order after the one above, separated by semicolons. Each is a name followed by host= and, as needed, user=, numbers=, to= (prefixes it serves, separated by commas), channels=, sign_in=ip and match=.',
    placeholder: 'backup host=sip.other.example user=1234 numbers=+15551230000 to=+1,+44 channels=4',
    check: moreTrunksFault,
  },
  {
    type: 'secret',
    key: 'trunk_more_passwords',
    label: 'Passwords of more trunks',
    help: 'As NAME=PASSWORD, separated by spaces, for example backup=s3cret.',
    check: passwordsFault,
  },
  {
    type: 'text',
    key: 'trunk_asterisk',
    label: 'Asterisk program',
    help: 'Path of the Asterisk program, if it is not where packages put it. Read from the environment only, because it is run.',
    environmentOnly: true,
  },
])
