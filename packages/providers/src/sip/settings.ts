import { checkE164, checkHost } from '@faxdeck/provider-kit'
import { choicesOf, settingRows } from '@faxdeck/settings'

/** The password in the sample configuration: anybody can read it there. */
export const shippedPassword = 'changeme'

export const sipSettings = settingRows({ provider: 'sip', group: 'provider', at: 'sip' }, [
  {
    type: 'text',
    key: 'ami_host',
    env: 'ASTERISK_AMI_HOST',
    label: 'AMI host',
    help: 'Where Asterisk listens for its manager interface (AMI). Keep it on this machine or a private network, never public.',
    placeholder: '127.0.0.1',
    check: checkHost,
  },
  {
    type: 'number',
    key: 'ami_port',
    env: 'ASTERISK_AMI_PORT',
    label: 'AMI port',
    help: 'The port in manager.conf.',
    default: 5038,
    min: 1,
    max: 65_535,
  },
  {
    type: 'text',
    key: 'ami_username',
    env: 'ASTERISK_AMI_USERNAME',
    label: 'AMI user',
    help: 'The section name in manager.conf. It needs read = call,user and write = call,originate, and no more.',
    default: 'api',
  },
  {
    type: 'secret',
    key: 'ami_password',
    env: 'ASTERISK_AMI_PASSWORD',
    facts: { 'sip.ami_password_is_default': (value) => value === shippedPassword },
    label: 'AMI password',
    help: 'The secret in manager.conf. The default is in every sample configuration: change it in both places.',
    default: shippedPassword,
  },
  {
    group: 'inbound',
    type: 'secret',
    key: 'asterisk_inbound_secret',
    at: 'inbound.sip.asterisk_secret',
    label: 'Internal secret',
    help: 'Asterisk authenticates with it when it delivers a received fax (header X-Internal-Secret). Make it long and random.',
    drawn: true,
  },
  {
    type: 'text',
    key: 'fax_station_id',
    env: 'FAX_LOCAL_STATION_ID',
    at: 'sip.station_id',
    label: 'Station id',
    help: 'Your fax number in E.164 form. The called machine sees it as the caller.',
    placeholder: '+15551234567',
    check: checkE164,
  },
  {
    type: 'text',
    key: 'sip_dial_string',
    env: 'ASTERISK_DIAL_STRING',
    label: 'Dial string',
    help: 'The channel that calls leave through: {number} stands for the number as +15551234567, {digits} for the same without the plus. "trunk" is the name of your endpoint in pjsip.conf.',
    default: 'PJSIP/{number}@trunk',
    placeholder: 'PJSIP/{number}@trunk',
    // It becomes part of an action, where other characters have a meaning of their own.
    check: (value) =>
      /^[A-Za-z0-9]+\/[\w./@:+-]*\{(number|digits)\}[\w./@:+-]*$/.test(value)
        ? undefined
        : 'Write a technology, a slash and an address with {number} or {digits} in it, for example PJSIP/{number}@trunk.',
  },
  {
    type: 'choice',
    key: 'sip_t38',
    env: 'ASTERISK_T38',
    label: 'T.38',
    help: 'How faxes travel over the trunk. Choose audio only when your trunk does not carry T.38.',
    default: 'auto',
    choices: choicesOf({
      auto: 'When the far side asks for it',
      request: 'Ask for it, fall back to audio',
      off: 'Audio only',
    }),
  },
  {
    type: 'switch',
    key: 'sip_ecm',
    env: 'ASTERISK_ECM',
    label: 'Error correction (ECM)',
    help: 'Damaged lines are sent again within the call. Turn it off only for machines that fail with it.',
    default: true,
  },
  {
    type: 'number',
    key: 'sip_ring_seconds',
    env: 'ASTERISK_RING_SECONDS',
    label: 'Seconds to ring',
    help: 'How long a call may ring before it counts as not answered.',
    default: 60,
    min: 5,
    max: 300,
  },
])
