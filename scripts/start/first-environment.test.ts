import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFirstEnvironment } from './first-environment.mjs'

let folder: string
let data: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'faxdeck-first-'))
  data = join(folder, 'faxdata')
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('the first start', () => {
  it('turns the test line and the inbox on in a file only its owner can read', () => {
    expect(writeFirstEnvironment(data)).toBe(true)
    const file = join(data, 'faxdeck.env')
    expect(readFileSync(file, 'utf8')).toMatch(/^FAX_DISABLED=true\nINBOUND_ENABLED=true$/m)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(data)).toEqual(['faxdeck.env'])
  })

  it('leaves a settings file as a person changed it', () => {
    writeFirstEnvironment(data)
    writeFileSync(join(data, 'faxdeck.env'), 'FAX_DISABLED=false\n')
    expect(writeFirstEnvironment(data)).toBe(false)
    expect(readFileSync(join(data, 'faxdeck.env'), 'utf8')).toBe('FAX_DISABLED=false\n')
  })

  it('does not put an installation that has a database onto the test line', () => {
    writeFileSync(join(folder, 'faxdeck.db'), '')
    expect(writeFirstEnvironment(folder)).toBe(false)
    expect(readdirSync(folder)).toEqual(['faxdeck.db'])
  })

  it('says in one sentence that the directory cannot be written', () => {
    writeFileSync(data, 'a file where the directory should be')
    expect(() => writeFirstEnvironment(data)).toThrow(/cannot be written \(ENOTDIR\): make it writable .* FAX_DATA_DIR/)
  })

  it.runIf(existsSync('/proc/self'))('says so too where the system itself refuses', () => {
    expect(() => writeFirstEnvironment('/proc/faxdata')).toThrow(/cannot be written \(ENOENT\)/)
  })
})
