import { describe, expect, it } from 'vitest'
import { bannerOf } from './banner.ts'

const testing = { isTerminal: true, testLine: true, bypassed: undefined, problem: undefined }
const real = { ...testing, testLine: false }
const given = { key: 'from-the-environment', file: null, isNew: false }
const url = 'http://127.0.0.1:8080/admin-demo/'

describe('the banner', () => {
  it('shows a key that was just made, and where it is kept', () => {
    const text = bannerOf({ url, key: { key: 'fdk_live_x', file: '/data/bootstrap-key', isNew: true }, ...testing })
    expect(text).toContain(url)
    expect(text).toContain('fdk_live_x')
    expect(text).toContain('/data/bootstrap-key')
    expect(text).toContain('Test line is on')
  })

  it('shows no key to what is not a terminal, such as a journal, and says where it is', () => {
    const key = { key: 'fdk_live_x', file: '/data/bootstrap-key', isNew: true }
    const text = bannerOf({ url, key, ...testing, isTerminal: false })
    expect(text).not.toContain('fdk_live_x')
    expect(text).toContain('kept in /data/bootstrap-key')
  })

  it('afterwards only says where it is', () => {
    const text = bannerOf({
      url,
      key: { key: 'fdk_live_x', file: '/data/bootstrap-key', isNew: false },
      ...real,
    })
    expect(text).not.toContain('fdk_live_x')
    expect(text).toContain('/data/bootstrap-key')
    expect(text).not.toContain('Test line')
  })

  it('never shows a key that the environment gave', () => {
    const text = bannerOf({ url, key: given, ...real })
    expect(text).not.toContain('from-the-environment')
    expect(text).toContain('API_KEY')
  })

  it('names a provider that is set up and gets no fax because of the test line', () => {
    const text = bannerOf({ url, key: given, ...testing, bypassed: 'Phaxio' })
    expect(text).toContain('Test line is on: nothing leaves this machine. Phaxio is set up but not in use.')
  })

  it('says that no fax can be sent while the account is incomplete', () => {
    const text = bannerOf({ url, key: given, ...real, problem: 'Phaxio cannot be used yet.' })
    expect(text).toContain('No fax can be sent. Phaxio cannot be used yet.')
  })
})
