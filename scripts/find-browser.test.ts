import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBrowser, findProgram } from './find-browser.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-browser-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

function program(name: string, mode = 0o755): string {
  const path = join(folder, name)
  writeFileSync(path, '#!/bin/sh\n', { mode })
  return path
}

describe('finding a browser', () => {
  it('takes CHROME_PATH before one that is installed', () => {
    const chosen = program('my-chrome')
    program('chromium')
    expect(findBrowser({ CHROME_PATH: chosen, PATH: folder })).toBe(chosen)
  })

  it('takes no other browser when CHROME_PATH names none', () => {
    program('chromium')
    expect(findBrowser({ CHROME_PATH: join(folder, 'absent'), PATH: folder })).toBeUndefined()
  })

  it('finds an installed one', () => {
    const installed = program('google-chrome')
    expect(findBrowser({ PATH: `${join(folder, 'absent')}:${folder}` })).toBe(installed)
  })

  it('passes over a file that may not be run', () => {
    program('chromium', 0o644)
    expect(findProgram('chromium', { PATH: folder })).toBeUndefined()
  })
})
