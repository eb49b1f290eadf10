import { docsPath } from '../../base/http/base-path.ts'
import type { Config } from '@faxdeck/contract'
import { testAccountInUse } from '../../fax/read/test-account.ts'
import type { GatewayContext } from '../../base/context.ts'
import { senderGaps } from '../../paper/pages/header-values.ts'

/** What the console needs to know to draw itself. */
export async function configOf(context: GatewayContext, version: string): Promise<Config> {
  const { settings, providers, home } = context
  const values = settings.current()
  const outbound = providers.outbound()
  return {
    version,
    backend: outbound.id,
    hybrid: { outbound: outbound.id, inbound: providers.inbound().id },
    test_line: outbound.kind === 'builtin',
    test_line_bypasses: providers.bypassed()?.name ?? null,
    test_account: await testAccountInUse(context),
    data_folder_from: home.from ?? null,
    storage: { backend: values.storage_backend },
    require_api_key: values.require_api_key,
    enforce_public_https: values.enforce_public_https,
    public_api_url: values.public_api_url,
    allow_restart: values.admin_allow_restart,
    persisted_settings_enabled: values.enable_persisted_settings,
    audit_log_enabled: values.audit_log_enabled,
    branding: { docs_base: values.docs_base_url ?? (values.base_path ?? '') + docsPath },
    limits: { max_file_size_mb: values.max_file_size_mb },
    default_country: values.default_country,
    default_cover: values.fax_cover,
    organization: values.fax_header ?? null,
    sender_missing: senderGaps(values, outbound),
    break_glass_minutes: values.break_glass_minutes,
    mcp: {
      sse_enabled: values.enable_mcp_sse,
      sse_path: values.mcp_sse_path,
      http_enabled: values.enable_mcp_http,
      http_path: values.mcp_http_path,
      require_oauth: values.require_mcp_oauth,
      oauth: {
        issuer: values.oauth_issuer ?? '',
        audience: values.oauth_audience ?? '',
        jwks_url: values.oauth_jwks_url ?? '',
      },
    },
    v3_plugins: {
      enabled: values.feature_v3_plugins,
      active_outbound: outbound.id,
      installed: providers.providers.filter((provider) => provider.kind === 'plugin').length,
    },
  }
}
