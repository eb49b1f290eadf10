import { checkE164, checkHost, checkWebAddress } from '@faxdeck/provider-kit'
import { choicesOf, settingRows } from '@faxdeck/settings'

export const signalwireSettings = settingRows({ provider: 'signalwire', group: 'provider', at: 'signalwire' }, [
  {
    type: 'text',
    key: 'signalwire_space_url',
    label: 'SignalWire space',
    help: 'Host name of your space, without https://. It is in the address bar of the SignalWire dashboard.',
    placeholder: 'example.signalwire.com',
    check: checkHost,
  },
  {
    type: 'text',
    key: 'signalwire_project_id',
    label: 'SignalWire project id',
    help: 'From the SignalWire dashboard under API Credentials.',
    placeholder: '11111111-1111-4111-8111-111111111111',
  },
  {
    type: 'secret',
    key: 'signalwire_api_token',
    label: 'SignalWire API token',
    help: 'From the SignalWire dashboard under API Credentials. The token needs the Fax scope.',
  },
  {
    type: 'text',
    key: 'signalwire_fax_from_e164',
    at: 'signalwire.from_fax',
    label: 'Fax from',
    help: 'The number faxes are sent from: one of the project, able to fax, in E.164 form.',
    placeholder: '+15551234567',
    check: checkE164,
  },
  {
    type: 'text',
    key: 'signalwire_status_callback_url',
    envAliases: ['SIGNALWIRE_CALLBACK_URL'],
    at: 'signalwire.callback_url',
    label: 'SignalWire status callback URL',
    help: 'Where SignalWire reports how a fax went. Leave it blank to use the public API URL followed by /signalwire-callback.',
    placeholder: 'https://fax.example.com/signalwire-callback',
    check: checkWebAddress,
  },
  {
    type: 'secret',
    key: 'signalwire_webhook_signing_key',
    at: 'signalwire.signing_key',
    label: 'SignalWire signing key',
    help: 'SignalWire signs its callbacks with this key, which is not the API token. In the dashboard under API Credentials.',
  },
  {
    type: 'choice',
    key: 'signalwire_quality',
    label: 'SignalWire resolution',
    help: 'How finely SignalWire draws the pages. A few old machines accept only standard.',
    default: 'fine',
    choices: choicesOf({ standard: 'Standard', fine: 'Fine', superfine: 'Superfine' }),
  },
  {
    type: 'text',
    key: 'signalwire_base_url',
    label: 'SignalWire base URL',
    help: 'Address of the SignalWire API. Leave it blank to use https:// followed by the space; an emulator has an address of its own.',
    placeholder: 'https://example.signalwire.com',
    check: checkWebAddress,
  },
])
