import { describe, expect, it } from 'vitest'
import { applyLayers } from './layers.ts'
import { coreRows } from './rows.ts'
import { readValue } from './value.ts'

const rows = coreRows([
  { value: 'phaxio', label: 'Phaxio' },
  { value: 'sip', label: 'SIP' },
])

describe('the core rows', () => {
  it.each(['key', 'env', 'at'] as const)('have each %s once', (name) => {
    const names = rows.flatMap((row) => ('at' in row || name !== 'at' ? [row[name as 'key']] : []))
    expect(names.filter((one, index) => names.indexOf(one) !== index)).toEqual([])
  })

  it('have defaults that they accept themselves', () => {
    const refused = rows.filter((row) => row.default !== null && 'problem' in readValue(row, row.default))
    expect(refused.map((row) => row.key)).toEqual([])
  })

  it('explain themselves: a label, and help that ends as a sentence', () => {
    const texts = rows.map(({ key, label, help }): { key: string; label: string; help: string } => ({
      key,
      label,
      help,
    }))
    expect(texts.filter(({ label, help }) => label === '' || !help.endsWith('.'))).toEqual([])
  })

  it('take every field of the update payload that belongs to no provider', () => {
    const payload =
      'backend outbound_backend inbound_backend inbound_enabled require_api_key enforce_public_https audit_log_enabled public_api_url ' +
      'enable_persisted_settings feature_v3_plugins feature_plugin_install fax_disabled pdf_token_ttl_minutes inbound_retention_days ' +
      'inbound_token_ttl_minutes storage_backend s3_bucket s3_region s3_prefix s3_endpoint_url s3_kms_key_id database_url max_file_size_mb ' +
      'max_requests_per_minute inbound_list_rpm inbound_get_rpm enable_mcp_sse enable_mcp_http require_mcp_oauth oauth_issuer oauth_audience oauth_jwks_url'
    const keys = rows.map((row): string => row.key)
    expect(payload.split(' ').filter((key) => !keys.includes(key))).toEqual([])
  })

  it('begin with the defaults of the product', () => {
    expect(applyLayers(rows, { environment: {}, saved: {} }).values).toMatchObject({
      backend: 'phaxio',
      require_api_key: true,
      enforce_public_https: true,
      audit_log_enabled: false,
      inbound_retention_days: 30,
      max_file_size_mb: 10,
      max_requests_per_minute: 60,
      inbound_list_rpm: 30,
      inbound_get_rpm: 60,
      pdf_token_ttl_minutes: 60,
      storage_backend: 'local',
      host: '127.0.0.1',
      port: 8080,
    })
  })
})
