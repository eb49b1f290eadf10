import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashContents } from './content-hash.mjs'

let root: string

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'faxdeck-hash-'))
  mkdirSync(join(root, 'app/src'), { recursive: true })
  writeFileSync(join(root, 'app/src/page.ts'), 'one')
  writeFileSync(join(root, 'lock.json'), '{}')
})

afterEach(() => rmSync(root, { recursive: true }))

describe('the hash over source files', () => {
  const hash = () => hashContents(root, ['app', 'lock.json'])

  it('stays the same when nothing changed', () => {
    expect(hash()).toBe(hash())
  })

  it('does not depend on the order in which paths are given', () => {
    expect(hashContents(root, ['lock.json', 'app'])).toBe(hash())
  })

  it.each([
    ['a file changes', () => writeFileSync(join(root, 'app/src/page.ts'), 'two')],
    ['a file is added', () => writeFileSync(join(root, 'app/src/more.ts'), '')],
    ['a file is moved', () => renameSync(join(root, 'app/src/page.ts'), join(root, 'app/page.ts'))],
  ])('changes when %s', (_, change) => {
    const before = hash()
    change()
    expect(hash()).not.toBe(before)
  })

  it.each(['node_modules', 'dist', 'coverage'])('leaves out what is derived: %s', (folder) => {
    const before = hash()
    mkdirSync(join(root, 'app', folder))
    writeFileSync(join(root, 'app', folder, 'made.js'), 'x')
    expect(hash()).toBe(before)
  })
})
