import { readFileSync, readdirSync } from 'node:fs'
import { describeRegistry } from '@faxdeck/provider-kit/conformance'
import { coreRows, toAnswer, type SettingRow } from '@faxdeck/settings'
import { describe, expect, it } from 'vitest'
import { providers } from './registry.ts'

const core = coreRows(providers.map(({ id, name }) => ({ value: id, label: name })))
const rows: SettingRow[] = [...core, ...providers.flatMap(({ settings }) => settings)]

/** What the console may send in a change of settings. */
const updateKeys = [
  'backend outbound_backend inbound_backend inbound_enabled require_api_key enforce_public_https audit_log_enabled',
  'public_api_url enable_persisted_settings feature_v3_plugins feature_plugin_install fax_disabled',
  'pdf_token_ttl_minutes phaxio_api_key phaxio_api_secret sinch_project_id sinch_api_key sinch_api_secret',
  'sinch_base_url sinch_auth_method sinch_auth_base_url signalwire_space_url signalwire_project_id',
  'signalwire_api_token signalwire_fax_from_e164 documo_api_key documo_use_sandbox ami_host ami_port ami_username',
  'ami_password fax_station_id fs_gateway_name fs_caller_id_number freeswitch_esl_host freeswitch_esl_port',
  'freeswitch_esl_password freeswitch_gateway_name freeswitch_caller_id_number inbound_retention_days',
  'inbound_token_ttl_minutes asterisk_inbound_secret phaxio_inbound_verify_signature sinch_inbound_basic_user',
  'sinch_inbound_basic_pass storage_backend s3_bucket s3_region s3_prefix s3_endpoint_url s3_kms_key_id database_url',
  'max_file_size_mb max_requests_per_minute inbound_list_rpm inbound_get_rpm enable_mcp_sse enable_mcp_http',
  'require_mcp_oauth oauth_issuer oauth_audience oauth_jwks_url',
].flatMap((line) => line.split(' '))

describe('the registry', () => {
  describeRegistry(providers, core)

  it('lists every folder, and every folder has the same slots', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => name).sort()).toEqual(providers.map(({ id }) => id).sort())
    for (const { name } of folders) {
      const slots = ['README.md', 'index.ts', 'settings.ts', 'traits.ts', `${name}.test.ts`]
      expect(readdirSync(`${import.meta.dirname}/${name}`)).toEqual(expect.arrayContaining(slots))
    }
  })

  it('has, together with the core, a row for everything that the console changes', () => {
    const names = new Set(rows.flatMap(({ key, keyAliases = [] }) => [key, ...keyAliases]))
    expect(updateKeys.filter((key) => !names.has(key))).toEqual([])
  })

  it('answers every provider field that the console shows, unset text as an empty text', () => {
    const answer = toAnswer(rows, Object.fromEntries(rows.map((row) => [row.key, row.default])))
    expect(answer).toMatchObject({
      phaxio: { api_key: '', api_secret: '', callback_url: '' },
      sinch: {
        project_id: '',
        api_key: '',
        api_secret: '',
        base_url: 'https://fax.api.sinch.com/v3',
        auth_method: 'basic',
      },
      documo: { configured: false },
      sip: { ami_host: '', ami_password_is_default: true, station_id: '' },
      signalwire: { space_url: '', project_id: '', api_token: '', from_fax: '' },
      fs: { esl_host: '127.0.0.1', esl_port: 8021, gateway_name: '', caller_id_number: '' },
      inbound: { phaxio: { verify_signature: true }, sinch: { basic_auth_configured: false } },
    })
  })

  it('explains each variable in the README of its provider', () => {
    for (const { id, settings } of providers) {
      const page = readFileSync(`${import.meta.dirname}/${id}/README.md`, 'utf8')
      expect(settings.filter(({ env }) => !page.includes(env)).map(({ env }) => env)).toEqual([])
    }
  })
})
