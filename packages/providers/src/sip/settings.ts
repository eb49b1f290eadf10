import { checkE164, checkHost } from '@faxdeck/provider-kit'
import { settingRows } from '@faxdeck/settings'

const line = { provider: 'sip', group: 'provider' } as const

/** The password in the sample configuration: anybody can read it there. */
export const shippedAmiPassword = 'changeme'

export const sipSettings = settingRows([
  {
    ...line,
    type: 'text',
    key: 'ami_host',
    env: 'ASTERISK_AMI_HOST',
    at: 'sip.ami_host',
    label: 'AMI host',
    help: 'Where Asterisk listens for its manager interface (AMI). Keep it on this machine or a private network, never public.',
    default: null,
    placeholder: '127.0.0.1',
    check: checkHost,
  },
  {
    ...line,
    type: 'number',
    key: 'ami_port',
    env: 'ASTERISK_AMI_PORT',
    at: 'sip.ami_port',
    label: 'AMI port',
    help: 'The port in manager.conf.',
    default: 5038,
    min: 1,
    max: 65_535,
  },
  {
    ...line,
    type: 'text',
    key: 'ami_username',
    env: 'ASTERISK_AMI_USERNAME',
    at: 'sip.ami_username',
    label: 'AMI user',
    help: 'The section name in manager.conf. It needs read = call,user and write = call,originate, and no more.',
    default: 'api',
    check: checkOneLine,
  },
  {
    ...line,
    type: 'secret',
    key: 'ami_password',
    env: 'ASTERISK_AMI_PASSWORD',
    at: 'sip.ami_password',
    label: 'AMI password',
    help: 'The secret in manager.conf. The default stands in every sample configuration: change it in both places.',
    default: shippedAmiPassword,
    check: checkOneLine,
  },
  {
    ...line,
    type: 'text',
    key: 'fax_station_id',
    env: 'FAX_LOCAL_STATION_ID',
    at: 'sip.station_id',
    label: 'Station id',
    help: 'Your fax number in E.164 form. The called machine sees it as the caller.',
    default: null,
    placeholder: '+15551234567',
    check: checkE164,
  },
  {
    ...line,
    type: 'text',
    key: 'fax_header',
    env: 'FAX_HEADER',
    at: 'sip.header',
    label: 'Header line',
    help: 'Name printed at the top of every page, beside number, date and page, up to 50 characters.',
    default: null,
    placeholder: 'Example Clinic',
    check: (value) => (value.length > 50 ? 'A fax header holds at most 50 characters.' : checkOneLine(value)),
  },
])

function checkOneLine(value: string): string | undefined {
  return /[\r\n\0]/.test(value) ? 'Write it on one line.' : undefined
}
