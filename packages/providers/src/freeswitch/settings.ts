import { checkHost } from '@faxdeck/provider-kit'
import { choicesOf, settingRows } from '@faxdeck/settings'

/** The password that FreeSWITCH ships with. */
export const shippedPassword = 'ClueCon'

export const freeswitchSettings = settingRows({ provider: 'freeswitch', group: 'provider', at: 'fs' }, [
  {
    type: 'text',
    key: 'freeswitch_esl_host',
    at: 'fs.esl_host',
    label: 'ESL host',
    help: 'Where FreeSWITCH listens for its event socket (ESL). Keep it on this machine or a private network, never public.',
    default: '127.0.0.1',
    placeholder: '127.0.0.1',
    check: checkHost,
  },
  {
    type: 'number',
    key: 'freeswitch_esl_port',
    at: 'fs.esl_port',
    label: 'ESL port',
    help: 'The listen-port in event_socket.conf.xml.',
    default: 8021,
    min: 1,
    max: 65_535,
  },
  {
    type: 'secret',
    key: 'freeswitch_esl_password',
    at: 'fs.esl_password',
    facts: { 'fs.esl_password_is_default': (value) => value === shippedPassword },
    label: 'ESL password',
    help: 'The password in event_socket.conf.xml. The default is the one FreeSWITCH ships with: change it in both places.',
    default: shippedPassword,
  },
  {
    type: 'text',
    key: 'freeswitch_gateway_name',
    keyAliases: ['fs_gateway_name'],
    at: 'fs.gateway_name',
    label: 'Gateway name',
    help: 'Name of the Sofia gateway that calls leave through, as `sofia status` lists it.',
    placeholder: 'my_trunk',
    // It becomes part of a dial string, where other characters have a meaning of their own.
    check: (value) =>
      /^[\w.-]{1,64}$/.test(value) ? undefined : 'Use letters, digits, dots, hyphens and underscores only.',
  },
  {
    type: 'text',
    key: 'freeswitch_caller_id_number',
    keyAliases: ['fs_caller_id_number'],
    at: 'fs.caller_id_number',
    label: 'Caller id number',
    help: 'Your number as the called machine and your trunk see it, with or without a plus sign, as your trunk wants it.',
    placeholder: '+15551234567',
    check: (value) =>
      /^\+?\d{3,15}$/.test(value) ? undefined : 'Write 3 to 15 digits, with or without a leading plus.',
  },
  {
    type: 'switch',
    key: 'freeswitch_t38_enable',
    at: 'fs.t38_enable',
    label: 'T.38',
    help: 'Asks the far side for T.38, the fax protocol for IP networks. Turn it off when your trunk carries audio only.',
    default: true,
  },
  {
    type: 'choice',
    key: 'freeswitch_number_form',
    at: 'fs.number_form',
    label: 'Form of dialed numbers',
    help: 'How your trunk wants the called number.',
    default: 'e164',
    choices: choicesOf({ e164: '+15551234567', digits: '15551234567' }),
  },
  {
    type: 'switch',
    key: 'freeswitch_ecm',
    at: 'fs.ecm',
    label: 'Error correction (ECM)',
    help: 'Damaged lines are sent again within the call. Turn it off only for machines that fail with it.',
    default: true,
  },
  {
    type: 'number',
    key: 'freeswitch_ring_seconds',
    at: 'fs.ring_seconds',
    label: 'Seconds to ring',
    help: 'How long a call may ring before it counts as not answered.',
    default: 60,
    min: 5,
    max: 300,
  },
  {
    type: 'text',
    key: 'freeswitch_fax_header',
    at: 'fs.fax_header',
    label: 'Header line',
    help: 'Name on the header line of pages that go through FreeSWITCH, up to 50 characters. Leave it blank to use the sender of the header line.',
    placeholder: 'Example Clinic',
    // It becomes part of a dial string, where other characters have a meaning of their own.
    check: (value) =>
      /^[\p{L}\p{N} .:+()/-]{1,50}$/u.test(value)
        ? undefined
        : 'Use up to 50 letters, digits, spaces and . : + ( ) / - only.',
  },
])
