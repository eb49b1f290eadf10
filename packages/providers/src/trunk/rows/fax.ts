import { choicesOf, settingRows } from '@faxdeck/settings'
import { quietHoursFault } from '../quiet-hours.ts'

/** How a fax is carried, and when. */
export const faxRows = settingRows({ provider: 'trunk', group: 'provider', advanced: true, at: 'trunk' }, [
  {
    type: 'choice',
    key: 'trunk_t38',
    label: 'T.38',
    help: 'T.38 carries faxes as data and survives packet loss, which audio does not. A carrier that refuses it gets audio in the same call.',
    default: 'request',
    choices: choicesOf({
      auto: 'Audio first, T.38 when the other side asks',
      request: 'T.38 first, fall back to audio (G.711)',
      only: 'T.38 only',
      off: 'Audio only (G.711)',
    }),
  },
  {
    type: 'switch',
    key: 'trunk_ecm',
    label: 'Error correction (ECM)',
    help: 'Damaged lines are sent again within the call. Turn it off only for machines that fail with it.',
    default: true,
  },
  {
    type: 'choice',
    key: 'trunk_speed',
    label: 'Top speed',
    help: 'The fastest modem speed to send and receive at, in bits per second. A slower one helps on bad audio lines. Modems run at 14,400, 9,600 or 4,800 at most: 12,000 means 9,600, and 7,200 means 4,800.',
    default: '14400',
    choices: ['14400', '12000', '9600', '7200', '4800'].map((value) => ({
      value,
      label: Number(value).toLocaleString('en-US'),
    })),
  },
  {
    type: 'choice',
    key: 'trunk_redundancy',
    label: 'T.38 error recovery',
    help: 'How lost T.38 packets are made up for. Redundancy repeats each packet and works with nearly every carrier.',
    default: 'redundancy',
    choices: choicesOf({ redundancy: 'Redundancy', fec: 'Forward error correction', none: 'None' }),
  },
  {
    type: 'choice',
    key: 'trunk_codecs',
    label: 'Codecs',
    help: 'G.711 μ-law is usual in North America and Japan, A-law elsewhere. No other codec carries a fax.',
    default: 'ulaw,alaw',
    choices: choicesOf({
      'ulaw,alaw': 'μ-law, then A-law',
      'alaw,ulaw': 'A-law, then μ-law',
      ulaw: 'μ-law only',
      alaw: 'A-law only',
    }),
  },
  {
    type: 'number',
    key: 'trunk_ring_seconds',
    label: 'Seconds to ring',
    help: 'How long a call may ring before it counts as not answered.',
    default: 60,
    min: 5,
    max: 300,
  },
  {
    type: 'number',
    key: 'trunk_answer_seconds',
    label: 'Answer after (seconds)',
    help: 'How long an incoming call rings before Faxdeck answers. Enter 0 to answer at once.',
    default: 0,
    min: 0,
    max: 30,
  },
  {
    type: 'text',
    key: 'trunk_quiet_hours',
    label: 'Quiet hours',
    help: 'No fax is sent during these hours, by the clock of this machine; faxes wait and go out afterwards. Leave it blank to send at any time.',
    placeholder: '22:00-06:30',
    check: quietHoursFault,
  },
])
