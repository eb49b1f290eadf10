import { describe, expect, it } from 'vitest'
import { bannerOf } from './banner.ts'

const url = 'http://127.0.0.1:8080/admin-demo/'

describe('the banner', () => {
  it('shows a key that was just made, and where it is kept', () => {
    const text = bannerOf({ url, key: { key: 'fdk_live_x', file: '/data/bootstrap-key', isNew: true }, testLine: true })
    expect(text).toContain(url)
    expect(text).toContain('fdk_live_x')
    expect(text).toContain('/data/bootstrap-key')
    expect(text).toContain('Test line is on')
  })

  it('afterwards only says where it is', () => {
    const text = bannerOf({
      url,
      key: { key: 'fdk_live_x', file: '/data/bootstrap-key', isNew: false },
      testLine: false,
    })
    expect(text).not.toContain('fdk_live_x')
    expect(text).toContain('/data/bootstrap-key')
    expect(text).not.toContain('Test line')
  })

  it('never shows a key that the environment gave', () => {
    const text = bannerOf({ url, key: { key: 'from-the-environment', file: null, isNew: false }, testLine: false })
    expect(text).not.toContain('from-the-environment')
    expect(text).toContain('API_KEY')
  })
})
