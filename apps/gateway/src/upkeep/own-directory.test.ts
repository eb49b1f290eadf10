import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { assertOwn } from './copy.ts'

it('keeps root from writing what the user of the gateway could not read', () => {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-own-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const root = 0
  if (process.getuid?.() === root) {
    expect(() => assertOwn(directory)).not.toThrow()
    chownSync(directory, 1, 1)
  }
  expect(() => assertOwn(directory, root)).toThrow('belongs to another user')
  expect(() => assertOwn(directory, 1)).not.toThrow()
})
