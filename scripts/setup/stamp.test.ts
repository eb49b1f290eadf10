import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isStamped, writeStamp } from './stamp.mjs'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-stamp-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('the stamp of a derived folder', () => {
  it('holds for the input it was written for, and for no other', () => {
    writeStamp(folder, 'aaaa')
    expect(isStamped(folder, 'aaaa')).toBe(true)
    expect(isStamped(folder, 'bbbb')).toBe(false)
  })

  it('is absent in a folder that is absent or was not finished', () => {
    expect(isStamped(folder, 'aaaa')).toBe(false)
    expect(isStamped(join(folder, 'absent'), 'aaaa')).toBe(false)
  })

  it('counts as absent when its writing was cut short', () => {
    writeFileSync(join(folder, '.faxdeck-setup.json'), '{"hash":"aa')
    expect(isStamped(folder, 'aa')).toBe(false)
  })
})
