import { describe as describeSettings } from '@faxdeck/settings/forms'
import { describe, expect, it } from 'vitest'
import { registryOf } from '../../demo/installation/fake-providers.ts'
import { fakeRows } from '../../demo/installation/fake-setting-rows.ts'
import { emptyWorld } from '../../demo/world.ts'
import { curlJson, curlMultipart, curlTestOf } from './apply/curl-tests.tsx'
import { withChanges } from './apply/env-panel.tsx'
import { changesOf } from './draft-changes.ts'
import { freshDraft, planOf, settleDraft, type SetupDraft } from './plan.ts'

type Saved = Record<string, string | number | boolean>

const on = { inbound_enabled: true }

function plan(draft: Partial<SetupDraft> = {}, saved: Saved = {}, environment: Saved = {}) {
  const settings = describeSettings(fakeRows, { environment: { ...on, ...environment }, saved })
  return planOf({ ...freshDraft, ...draft }, settings, registryOf(emptyWorld()))
}

describe('the choice of providers', () => {
  it('changes nothing while it is as it was', () => {
    expect(plan().changes).toEqual({})
    expect(plan({ outbound: 'phaxio', inbound: '' }).changes).toEqual({})
  })

  it('names one provider for both directions, and a second where they differ', () => {
    expect(plan({ outbound: 'sinch' }).changes).toEqual({ backend: 'sinch' })
    expect(plan({ outbound: 'sinch', inbound: 'sip' }).changes).toEqual({ backend: 'sinch', inbound_backend: 'sip' })
  })

  it('clears what was saved for a direction, and overrules what the environment says there', () => {
    const saved = { outbound_backend: 'sinch', inbound_backend: 'sip' }
    expect(plan({ outbound: 'freeswitch', inbound: '' }, saved).changes).toEqual({
      backend: 'freeswitch',
      outbound_backend: null,
      inbound_backend: null,
    })
    expect(plan({ outbound: 'sip' }, {}, { outbound_backend: 'sinch' }).changes).toEqual({
      backend: 'sip',
      outbound_backend: 'sip',
      inbound_backend: 'phaxio',
    })
  })

  it('is shown as it is in force when the directions differ without saying so', () => {
    const { outbound, inbound, receiver } = plan({}, { outbound_backend: 'sinch' })
    expect([outbound?.id, inbound, receiver?.id]).toEqual(['sinch', 'phaxio', 'phaxio'])
  })

  it('leaves out what was entered for a provider that was given up', () => {
    const entries = { phaxio_api_key: 'key', sinch_project_id: 'project' }
    expect(plan({ outbound: 'sinch', entries }).changes).toEqual({ backend: 'sinch', sinch_project_id: 'project' })
  })
})

describe('the draft after saving', () => {
  it('keeps only what was entered meanwhile', () => {
    const saved = plan({ outbound: 'sinch', entries: { sinch_project_id: 'one' } })
    const draft = { step: 3, outbound: 'sinch', entries: { sinch_project_id: 'one', audit_log_enabled: true } }
    expect(settleDraft(draft, saved)).toEqual({ step: 3, entries: { audit_log_enabled: true } })
  })
})

describe('the summary of changes', () => {
  it('uses the words of the settings, and says of a secret only that it changes', () => {
    const entries = { phaxio_api_key: null, phaxio_api_secret: 'second', public_api_url: 'https://fax.example.org' }
    const saved = { phaxio_api_key: 'first-key', phaxio_api_secret: 'first' }
    expect(changesOf(plan({ entries }, saved)).map(({ label, from, to }) => [label, from, to])).toEqual([
      ['Public API URL', 'http://localhost:8080', 'https://fax.example.org'],
      ['Phaxio API key', 'configured', 'cleared'],
      ['Phaxio API secret', 'configured', 'replaced'],
    ])
  })
})

describe('the .env file', () => {
  const exported =
    '# backend\nFAX_BACKEND=phaxio\n# FAX_DISABLED=false\n# PHAXIO_API_KEY is set. Export with secrets.\n'

  it('has what is entered in the place of what is in force', () => {
    const entries = { fax_disabled: true, phaxio_api_key: "it's #1", public_api_url: 'https://fax.example.org' }
    expect(withChanges(exported, plan({ entries }), true)).toBe(
      [
        '# backend',
        'FAX_BACKEND=phaxio',
        'FAX_DISABLED=true',
        "PHAXIO_API_KEY=`it's #1`",
        '',
        '# entered in the setup',
        'PUBLIC_API_URL=https://fax.example.org',
        '',
      ].join('\n'),
    )
  })

  it('only names secrets that were not asked for, and says what no quote can hold', () => {
    const entries = { phaxio_api_key: 'a', phaxio_api_secret: `'"\`` }
    expect(withChanges('', plan({ entries }), false)).not.toContain('PHAXIO_API_KEY=')
    expect(withChanges('', plan({ entries }), true)).toContain('# PHAXIO_API_SECRET mixes quotes')
  })
})

describe('the tests for a shell', () => {
  it('carry the proof that the provider would give, secrets as variables', () => {
    const sinch = curlTestOf(plan({ outbound: 'sinch', entries: { public_api_url: 'https://fax.example.org/' } }), '')
    expect(sinch).toMatchObject({
      url: 'https://fax.example.org/sinch-inbound',
      proof: ['-u "user:$SINCH_INBOUND_BASIC_PASS"'],
    })
    const sip = curlTestOf(plan({ inbound: 'sip' }), 'http://127.0.0.1:8080')
    expect(sip).toMatchObject({
      url: 'http://127.0.0.1:8080/_internal/asterisk/inbound',
      proof: ['-H "X-Internal-Secret: $ASTERISK_INBOUND_SECRET"'],
    })
    expect(curlTestOf(plan(), '')?.proof).toEqual([])
    expect(curlTestOf(plan({ outbound: 'trunk' }), '')).toBeUndefined()
  })

  it('hold quotes of the payload together', () => {
    const test = { url: 'https://fax.example.org/x', proof: [], payload: { name: "O'Neil", fax: { id: 1 } } }
    expect(curlJson(test)).toContain(String.raw`-d '{"name":"O'\''Neil","fax":{"id":1}}'`)
    const form = curlMultipart(test)
    expect(form).toContain(String.raw`--form-string 'name=O'\''Neil'`)
    expect(form).toContain(`--form-string 'fax={"id":1}'`)
  })
})
