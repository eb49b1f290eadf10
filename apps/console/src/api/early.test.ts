import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeEarly } from './early.ts'

const script = readFileSync(join(import.meta.dirname, '../../early.js'), 'utf8')
const key = 'fdk_live_0123456789ab_key'
const withKey = (key: string) => ({ headers: { 'x-api-key': key } })

let asked: ReturnType<typeof vi.fn<typeof fetch>>

beforeEach(() => {
  asked = vi.fn<typeof fetch>(async () => Response.json({}))
  vi.stubGlobal('fetch', asked)
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  vi.spyOn(performance, 'now').mockReturnValue(400)
  localStorage.setItem('faxdeck-admin-key', key)
})
afterEach(() => {
  globalThis.faxdeckEarly = undefined
  delete document.documentElement.dataset.mode
  document.documentElement.removeAttribute('data-theme')
})

const start = () => void window.eval(script)
const paths = () => asked.mock.calls.map(([path]) => path)

describe('the first calls of a visit', () => {
  it('are made before the console is here, with the kept key, and answer the console once', async () => {
    start()
    expect(paths()).toEqual(['/admin/config', '/admin/health-status', '/admin/activity'])
    expect(asked.mock.calls[0]?.[1]).toEqual(withKey(key))
    expect((await takeEarly('/admin/config', withKey(key)))?.ok).toBe(true)
    expect(takeEarly('/admin/config', withKey(key))).toBeUndefined()
    expect(takeEarly('/admin/fax-jobs', withKey(key))).toBeUndefined()
  })

  it('are fewer where another screen than the dashboard is returned to', () => {
    history.replaceState({ place: 'jobs' }, '')
    start()
    expect(paths()).toEqual(['/admin/config', '/admin/health-status'])
    history.replaceState(null, '')
  })

  it('are not made while nobody is logged in, nor in the demo', () => {
    document.documentElement.dataset.mode = 'demo'
    start()
    delete document.documentElement.dataset.mode
    localStorage.clear()
    start()
    expect(asked).not.toHaveBeenCalled()
    expect(takeEarly('/admin/config')).toBeUndefined()
  })

  it('do not answer for another key, nor when the page is older', () => {
    start()
    expect(takeEarly('/admin/config', withKey('another'))).toBeUndefined()
    vi.spyOn(performance, 'now').mockReturnValue(6_000)
    expect(takeEarly('/admin/health-status', withKey(key))).toBeUndefined()
  })

  it('leave it to the console to say that the gateway is silent', async () => {
    asked.mockRejectedValue(new TypeError('Failed to fetch'))
    start()
    await expect(takeEarly('/admin/config', withKey(key))).rejects.toThrow('Failed to fetch')
  })
})
