import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Host, Line, Provider } from '@faxdeck/provider-kit'
import { applyLayers, type SettingRow, settingRows, type Values } from '@faxdeck/settings'
import { describe, expect, it, onTestFinished } from 'vitest'
import { allRows } from '../settings/rows.ts'
import type { Settings, SettingsChange, SettingsInForce } from '../settings/settings.ts'
import { Lines } from './lines.ts'

interface OpenedLine {
  host: Host
  settings: Values
  closed: boolean
}

/** A provider that remembers the lines it opened. */
function courier(id: string, kind: Provider['kind'] = 'cloud') {
  const opened: OpenedLine[] = []
  const rows: readonly SettingRow[] = settingRows({ group: 'server' }, [
    {
      type: 'secret',
      key: `${id}_key`,
      env: `${id.toUpperCase()}_KEY`,
      group: 'provider',
      label: 'Key',
      help: '',
      default: null,
    },
  ])
  const traits = {
    webhook_path: null,
    sample_payload: null,
    signature_header: null,
    inbound_verification: 'none',
  } as const
  const abilities = {
    recommended: false,
    supports_inbound: true,
    supports_oauth: false,
    supports_cancel: false,
    supports_status: false,
  }
  const provider: Provider = {
    id,
    name: id,
    kind,
    traits: { ...traits, ...abilities, requires_ami: false, requires_pages: false },
    settings: rows,
    missing: (settings) => (kind !== 'builtin' && settings[`${id}_key`] === null ? `${id} lacks its key.` : undefined),
    open: (host, settings): Line => {
      const line = { host, settings, closed: false }
      opened.push(line)
      return {
        send: async () => ({ providerId: '1' }),
        close: async () => {
          line.closed = true
        },
      }
    },
    webhooks: [],
    checks: [],
    concurrency: 3,
  }
  return { provider, opened }
}

function house(saved: Values, more: Provider[] = []) {
  const [phaxio, builtin] = [courier('phaxio'), courier('testline', 'builtin')]
  const providers = [phaxio.provider, builtin.provider, ...more]
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-lines-'))
  mkdirSync(join(directory, 'lines'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const rows = allRows(providers)
  const listeners: ((change: SettingsChange) => unknown)[] = []
  let layers = { environment: { fax_data_dir: directory }, saved }
  const settings: Settings = {
    rows,
    layers: () => layers,
    current: () => applyLayers(rows, layers).values as SettingsInForce,
    onChange: (listener) => {
      listeners.push(listener)
      return () => undefined
    },
  }
  const change = (values: Values) => {
    layers = { ...layers, saved: { ...layers.saved, ...values } }
    for (const listener of listeners) listener({ keys: Object.keys(values) })
  }
  const said: string[] = []
  const say = (_facts: object, message: string) => void said.push(message)
  const lines = new Lines({
    providers: () => providers,
    settings,
    fingerprint: (text) => `print of ${text}`,
    now: () => new Date(),
    report: async (id, update) => void said.push(`${id} reports ${update.state}`),
    receive: async (id, fax) => said.push(`${id} receives ${fax.providerId}`) > 0,
    log: { info: say, warn: say, error: say },
  })
  onTestFinished(() => lines.close())
  return { lines, change, phaxio, builtin, directory, said }
}

describe('the providers in use', () => {
  it('are the chosen ones, each direction by itself', () => {
    const sip = courier('sip').provider
    const { lines, change } = house({ backend: 'phaxio' }, [sip])
    expect([lines.outbound().id, lines.inbound().id]).toEqual(['phaxio', 'phaxio'])
    change({ outbound_backend: 'sip' })
    expect([lines.outbound().id, lines.inbound().id]).toEqual(['sip', 'phaxio'])
  })

  it('send by the test line while FAX_DISABLED is on, and only then', () => {
    const { lines, change } = house({ fax_disabled: true })
    expect(lines.outbound().id).toBe('testline')
    change({ fax_disabled: false })
    expect(lines.outbound().id).toBe('phaxio')
    expect(() => lines.line('phaxio')).toThrow('phaxio lacks its key.')
  })

  it('take as many faxes at once as they like, unless a person says otherwise', () => {
    const { lines, change } = house({})
    expect(lines.concurrency('phaxio')).toBe(3)
    change({ lane_concurrency: 1 })
    expect(lines.concurrency('phaxio')).toBe(1)
  })

  it('are not guessed', () => {
    const { lines } = house({})
    expect(() => lines.line('pigeon')).toThrow('There is no provider "pigeon". Choose one under Settings.')
    expect(lines.find('pigeon')).toBeUndefined()
  })

  it('say so when they cannot send in this version', () => {
    const { open, ...deaf } = courier('deaf').provider
    const { lines } = house({ deaf_key: 'k' }, [deaf])
    expect(() => lines.line('deaf')).toThrow('deaf cannot send in this version.')
  })
})

describe('lines', () => {
  it('are opened once, with the settings of their own provider and a folder of their own', () => {
    const { lines, phaxio, directory } = house({ phaxio_key: 'k', s3_bucket: 'b' })
    expect(lines.line('phaxio')).toBe(lines.line('phaxio'))
    expect(phaxio.opened).toHaveLength(1)
    expect(phaxio.opened[0]?.settings).toEqual({ phaxio_key: 'k' })
    expect(phaxio.opened[0]?.host.directory).toBe(join(directory, 'lines', 'phaxio'))
    expect(statSync(join(directory, 'lines', 'phaxio')).mode & 0o777).toBe(0o700)
    expect(phaxio.opened[0]?.host.publicUrl).toBe('http://localhost:8080')
  })

  it('report to the gateway under the name of their provider', async () => {
    const { lines, phaxio, said } = house({ phaxio_key: 'k' })
    lines.line('phaxio')
    await phaxio.opened[0]?.host.report({ state: 'delivered' })
    await phaxio.opened[0]?.host.receive({
      providerId: '7',
      from: null,
      to: null,
      pages: 1,
      state: 'received',
      document: null,
    })
    expect(said).toEqual(['phaxio reports delivered', 'phaxio receives 7'])
  })

  it('in use are opened at the start, and anew when a setting of theirs changes', () => {
    const { lines, change, phaxio, builtin } = house({ fax_disabled: true, phaxio_key: 'k' })
    lines.start()
    expect([phaxio.opened.length, builtin.opened.length]).toEqual([1, 1])
    change({ inbound_list_rpm: 5 })
    expect(phaxio.opened).toHaveLength(1)
    change({ phaxio_key: 'another' })
    expect(phaxio.opened.map(({ closed, settings }) => [closed, settings.phaxio_key])).toEqual([
      [true, 'k'],
      [false, 'another'],
    ])
    expect(builtin.opened).toHaveLength(1)
    change({ public_api_url: 'https://fax.example.org/' })
    expect(phaxio.opened.at(-1)?.host.publicUrl).toBe('https://fax.example.org')
  })

  it('of a stand-in are open before they are needed, as the ends of faxes it carried arrive there', () => {
    const sip = courier('sip')
    const { lines, change, phaxio } = house({ phaxio_key: 'k', sip_key: 'k' }, [sip.provider])
    lines.start()
    expect([phaxio.opened.length, sip.opened.length]).toEqual([1, 0])
    change({ failover_backend: 'sip' })
    expect([phaxio.opened.length, sip.opened.length]).toEqual([1, 1])
    change({ failover_backend: 'sip', sip_key: null })
    expect(sip.opened.map(({ closed }) => closed)).toEqual([true])
  })

  it('that fail to open do not stop the others', () => {
    const broken: Provider = {
      ...courier('broken').provider,
      open: () => {
        throw new Error('no socket')
      },
    }
    const { lines, builtin, said } = house({ fax_disabled: true, inbound_backend: 'broken', broken_key: 'k' }, [broken])
    lines.start()
    expect(builtin.opened).toHaveLength(1)
    expect(said).toEqual(['The line could not be opened.'])
  })

  it('are closed at the end', async () => {
    const { lines, phaxio } = house({ phaxio_key: 'k' })
    lines.line('phaxio')
    await lines.close()
    expect(phaxio.opened[0]?.closed).toBe(true)
  })
})
