import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const system = Object.assign(new EventTarget(), { matches: false })
const shown = () => document.documentElement.dataset.theme
const firstPaint = readFileSync(join(import.meta.dirname, '../../public/theme.js'), 'utf8')

async function follow() {
  const theme = await import('./theme.ts')
  theme.followTheme()
  return theme
}

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('matchMedia', () => system)
  system.matches = false
})
afterEach(() => {
  document.documentElement.removeAttribute('data-theme')
})

describe('the theme', () => {
  it('is light on paper', async () => {
    const { chooseTheme } = await follow()
    chooseTheme('dark')
    dispatchEvent(new Event('beforeprint'))
    expect(shown()).toBe('light')
    dispatchEvent(new Event('afterprint'))
    expect(shown()).toBe('dark')
    chooseTheme('system')
  })

  it('follows the operating system until one is chosen', async () => {
    const { chooseTheme } = await follow()
    expect(shown()).toBe('light')
    system.matches = true
    system.dispatchEvent(new Event('change'))
    expect(shown()).toBe('dark')
    chooseTheme('light')
    system.dispatchEvent(new Event('change'))
    expect(shown()).toBe('light')
    chooseTheme('system')
    expect(shown()).toBe('dark')
  })

  it('follows a choice in another tab', async () => {
    await follow()
    localStorage.setItem('theme-mode', 'dark')
    dispatchEvent(new StorageEvent('storage', { key: 'theme-mode', newValue: 'dark' }))
    expect(shown()).toBe('dark')
  })

  it.each([
    ['dark', false, 'dark'],
    ['light', true, 'light'],
    ['system', true, 'dark'],
    ['nonsense', false, 'light'],
    [null, true, 'dark'],
  ])('is the same before the first paint: %s on a system that is dark: %s', async (kept, dark, expected) => {
    if (kept) localStorage.setItem('theme-mode', kept)
    system.matches = dark
    window.eval(firstPaint)
    expect(shown()).toBe(expected)
    await follow()
    expect(shown()).toBe(expected)
  })
})

describe('a browser that lacks what the console is built on', () => {
  const lacking = { popover: HTMLElement.prototype, any: AbortSignal, groupBy: Map, withResolvers: Promise } as const
  const load = () => {
    document.body.innerHTML = '<div id="root"></div>'
    delete document.documentElement.dataset.browser
    window.eval(firstPaint)
    document.dispatchEvent(new Event('DOMContentLoaded'))
    return document.body.textContent
  }

  it.each(Object.entries(lacking))('is told so, without %s', (name, owner) => {
    const whole = Object.getOwnPropertyDescriptor(owner, name)
    Reflect.deleteProperty(owner, name)
    try {
      expect(load()).toContain('too old')
      expect(document.documentElement.dataset.browser).toBe('old')
    } finally {
      if (whole) Object.defineProperty(owner, name, whole)
    }
  })

  it('is not any other', () => {
    Object.assign(HTMLElement.prototype, { popover: null })
    load()
    expect(document.documentElement.dataset.browser).toBeUndefined()
  })
})
