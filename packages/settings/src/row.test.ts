import { describe, expect, it } from 'vitest'
import { choicesOf, settingRows } from './row.ts'

const words = { label: 'Label', help: 'Help.' }

describe('a table of settings', () => {
  const [host, ring, other, password, path] = settingRows({ group: 'provider', provider: 'pbx', at: 'inbound.pbx' }, [
    { ...words, type: 'text', key: 'pbx_host' },
    { ...words, type: 'number', key: 'ring_seconds', default: 60, min: 5, max: 300 },
    { ...words, type: 'text', key: 'pbx_other', env: 'OTHER', at: 'sip.other', group: 'advanced', default: 'x' },
    { ...words, type: 'secret', key: 'pbx_password' },
    { ...words, type: 'text', key: 'pbx_path', environmentOnly: true },
  ])

  it('gives each row what its rows share, its variable, and its place in the answer', () => {
    expect(host).toMatchObject({ env: 'PBX_HOST', at: 'inbound.pbx.host', group: 'provider', provider: 'pbx' })
    expect(ring).toMatchObject({ env: 'RING_SECONDS', at: 'inbound.pbx.ring_seconds' })
  })

  it('leaves what a row says itself', () => {
    expect(other).toMatchObject({ env: 'OTHER', at: 'sip.other', group: 'advanced', default: 'x' })
    expect(ring.default).toBe(60)
  })

  it('takes a row that says no default for not set', () => {
    expect([host.default, password.default]).toEqual([null, null])
  })

  it('shows nothing of what only the environment sets', () => {
    expect(path).not.toHaveProperty('at')
  })

  it('lists choices in their order', () => {
    expect(choicesOf({ letter: 'Letter', a4: 'A4' })).toEqual([
      { value: 'letter', label: 'Letter' },
      { value: 'a4', label: 'A4' },
    ])
  })
})
