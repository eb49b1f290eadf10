import type { DescribedSetting, Plugin } from '@faxdeck/contract'

/** A plugin and the settings that its dialog shows. */
export interface FakePlugin {
  plugin: Plugin
  fields: { name: string; setting: DescribedSetting }[]
}

/** A setting as the gateway describes it: a text without a value, unless said otherwise. */
export function settingOf(key: string, label: string, fields: Partial<DescribedSetting> = {}): DescribedSetting {
  return {
    key,
    env: key.toUpperCase(),
    at: '',
    type: 'text',
    group: 'provider',
    label,
    help: `${label} of the account.`,
    value: null,
    configured: false,
    default: null,
    is_default: true,
    source: 'default',
    fixed: false,
    restart: false,
    ...fields,
  }
}

const sending = { categories: ['outbound' as const], capabilities: ['send', 'get_status'], source: 'builtin' as const }

/** A provider of the product that nobody chose, unless said otherwise. */
export function pluginOf(id: string, name: string, more: Partial<Plugin> = {}): Plugin {
  const state = { enabled: false, active: false, configurable: true }
  return { id, name, version: '1.0.2', description: '', ...sending, ...state, ...more }
}

const sipMissing =
  'SIP / Asterisk cannot be used yet: AMI password (ASTERISK_AMI_PASSWORD) is not set. Set what is missing under Settings, or in the environment.'

/** The plugins of a fresh installation: Phaxio sends, documents stay on the disk. */
export function freshPlugins(): FakePlugin[] {
  const storage = { categories: ['storage' as const], capabilities: ['store', 'retrieve', 'delete'] }
  const verify = settingOf('phaxio_verify_signature', 'Verify callbacks', {
    type: 'switch',
    value: true,
    default: true,
  })
  return [
    {
      plugin: pluginOf('phaxio', 'Phaxio', { enabled: true, active: true, description: 'Sends over the Phaxio API.' }),
      fields: [
        { name: 'callback_url', setting: settingOf('phaxio_status_callback_url', 'Callback URL') },
        { name: 'verify_signature', setting: verify },
      ],
    },
    {
      plugin: pluginOf('sinch', 'Sinch', { description: 'Sends over the Sinch Fax API.' }),
      fields: [{ name: 'project_id', setting: settingOf('sinch_project_id', 'Project ID') }],
    },
    {
      plugin: pluginOf('sip', 'SIP / Asterisk', { description: 'Your own Asterisk.', missing: sipMissing }),
      fields: [],
    },
    {
      plugin: pluginOf('local', 'Local storage', { ...storage, enabled: true, active: true, configurable: false }),
      fields: [],
    },
    {
      plugin: pluginOf('s3', 'S3 storage', storage),
      fields: ['bucket', 'region', 'prefix', 'endpoint_url', 'kms_key_id'].map((name) => ({
        name,
        setting: settingOf(`s3_${name}`, `S3 ${name}`, { type: name === 'kms_key_id' ? 'secret' : 'text' }),
      })),
    },
  ]
}
