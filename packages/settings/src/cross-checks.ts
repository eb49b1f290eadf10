import { unnamedPublicUrl } from './public-url.ts'
import type { CoreSettings } from './rows.ts'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

/** Every rule of the kind "A needs B" among the core settings: one sentence per rule that is broken. */
export function crossChecks(values: CoreSettings): string[] {
  const rules: [broken: boolean, sentence: string][] = [
    [
      !isLoopback(values.host) && !values.require_api_key,
      `HOST ${values.host} can be reached by other machines, which needs REQUIRE_API_KEY=true. Turn it on, or set HOST=127.0.0.1.`,
    ],
    [
      values.require_mcp_oauth && values.oauth_issuer === null,
      'REQUIRE_MCP_OAUTH=true needs OAUTH_ISSUER. Name the issuer of the tokens.',
    ],
    [
      values.require_mcp_oauth && values.oauth_audience === null && values.public_api_url === unnamedPublicUrl,
      'REQUIRE_MCP_OAUTH=true needs PUBLIC_API_URL or OAUTH_AUDIENCE. Set PUBLIC_API_URL to the address at which assistants reach this gateway, or OAUTH_AUDIENCE to the audience that their tokens carry.',
    ],
    [
      values.retry_unreachable_first_seconds > values.retry_unreachable_longest_seconds,
      'RETRY_UNREACHABLE_FIRST_SECONDS must not be above RETRY_UNREACHABLE_LONGEST_SECONDS. Lower the first or raise the longest.',
    ],
    [
      (values.tls_cert === null) !== (values.tls_key === null),
      'TLS_CERT and TLS_KEY belong together. Set both to serve HTTPS, or neither.',
    ],
    [
      values.mcp_sse_path === values.mcp_http_path,
      'MCP_SSE_PATH and MCP_HTTP_PATH are the same. Give each a path of its own.',
    ],
  ]
  return rules.filter(([broken]) => broken).map(([, sentence]) => sentence)
}
