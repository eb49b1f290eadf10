import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { masterKey } from './master-key.ts'
import { readOrMakeSecret } from './secret-file.ts'

let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faxdeck-secret-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('readOrMakeSecret', () => {
  it('makes a secret once, for its owner only, and keeps it', () => {
    const path = join(directory, 'key')
    expect(readOrMakeSecret(path, () => 'first')).toEqual({ secret: 'first', isNew: true })
    expect(readOrMakeSecret(path, () => 'second')).toEqual({ secret: 'first', isNew: false })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).toBe('first\n')
  })

  it('takes the secret of a process that was quicker', () => {
    const path = join(directory, 'key')
    const make = () => {
      writeFileSync(path, 'theirs\n')
      return 'ours'
    }
    expect(readOrMakeSecret(path, make)).toEqual({ secret: 'theirs', isNew: false })
  })

  it('does not take an empty file for a secret', () => {
    const path = join(directory, 'key')
    writeFileSync(path, '\n')
    expect(() => readOrMakeSecret(path, () => 'new')).toThrow(/is empty\. Remove it/)
  })
})

describe('masterKey', () => {
  it('is the given one, in either spelling', () => {
    const bytes = Buffer.alloc(32, 7)
    expect(masterKey(bytes.toString('hex'), directory)).toEqual(bytes)
    expect(masterKey(bytes.toString('base64'), directory)).toEqual(bytes)
    expect(masterKey(bytes.toString('base64url'), directory)).toEqual(bytes)
  })

  it('is otherwise made once and kept', () => {
    const made = masterKey(null, directory)
    expect(made).toHaveLength(32)
    expect(masterKey(null, directory)).toEqual(made)
  })

  it('is not guessed from a file that holds something else', () => {
    writeFileSync(join(directory, 'master-key'), 'not a key')
    expect(() => masterKey(null, directory)).toThrow(/does not hold a master key/)
  })
})
