import { describe, expect, it } from 'vitest'
import { crossChecks } from './cross-checks.ts'
import { applyLayers } from './layers.ts'
import { coreRows, type CoreSettings } from './rows.ts'
import type { Values } from './value.ts'

function checked(saved: Values): string[] {
  const { values } = applyLayers(coreRows([]), { environment: {}, saved })
  return crossChecks(values as unknown as CoreSettings)
}

describe('crossChecks', () => {
  it('is content with the defaults', () => {
    expect(checked({})).toEqual([])
  })

  it.each([
    [{ host: '0.0.0.0', require_api_key: false }, 'REQUIRE_API_KEY'],
    [{ host: '10.0.0.5', require_api_key: false }, 'REQUIRE_API_KEY'],
    [{ require_mcp_oauth: true, oauth_audience: 'fax' }, 'OAUTH_ISSUER'],
    [{ require_mcp_oauth: true, oauth_issuer: 'https://login.example.org' }, 'PUBLIC_API_URL or OAUTH_AUDIENCE'],
    [{ retry_unreachable_first_seconds: 600, retry_unreachable_longest_seconds: 60 }, 'RETRY_UNREACHABLE'],
  ])('says what %j lacks', (values, name) => {
    const [sentence, ...more] = checked(values)
    expect(sentence).toContain(name)
    expect(sentence).toMatch(/\.$/)
    expect(more).toEqual([])
  })

  it.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('lets %s do without a required key', (host) => {
    expect(checked({ host, require_api_key: false })).toEqual([])
  })
})
