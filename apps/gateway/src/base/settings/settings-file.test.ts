import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { coreRows, parseEnvFile } from '@faxdeck/settings'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { changeSettingsFile, settingsFile, writeSettingsFile } from './settings-file.ts'

const rows = coreRows([])
let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faxdeck-file-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('settingsFile', () => {
  it('is faxdeck.env of the data directory', async () => {
    const file = join(directory, 'faxdeck.env')
    expect(await settingsFile(directory)).toBe(file)
    expect(await settingsFile(directory, 'faxdeck.env')).toBe(file)
    expect(await settingsFile(directory, file)).toBe(file)
  })

  it.each([
    '/etc/faxdeck.env',
    '../faxdeck.env',
    'other.env',
    'no/such/faxdeck.env',
    'faxdeck.db',
    'master-key',
    '.',
    '',
  ])('is not %j', async (path) => {
    await expect(settingsFile(directory, path)).rejects.toMatchObject({ code: 'path_refused' })
  })

  it('is never a link', async () => {
    symlinkSync('/etc/hosts', join(directory, 'faxdeck.env'))
    await expect(settingsFile(directory)).rejects.toMatchObject({ code: 'path_refused' })
  })
})

describe('writeSettingsFile', () => {
  it('keeps what an export without secrets leaves out, and nothing else', async () => {
    const path = join(directory, 'faxdeck.env')
    writeFileSync(path, "S3_KMS_KEY_ID='it is #1'\nPORT=9000\nAPI_KEY=bootstrap-key\nAWS_REGION=eu\n")
    await writeSettingsFile(rows, path, { max_file_size_mb: 7 })
    expect(parseEnvFile(readFileSync(path, 'utf8'))).toEqual({
      MAX_FILE_SIZE_MB: '7',
      S3_KMS_KEY_ID: 'it is #1',
      API_KEY: 'bootstrap-key',
      AWS_REGION: 'eu',
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['faxdeck.env'])
  })
})

describe('changeSettingsFile', () => {
  beforeEach(() => mkdirSync(join(directory, 'scratch')))

  it('changes, adds and removes single variables and leaves the rest as it stands', async () => {
    const path = join(directory, 'faxdeck.env')
    writeFileSync(path, '# mine\nPORT=9000\nHOSTNAME=x\nexport HOST=1.2.3.4\n')
    await changeSettingsFile(directory, { PORT: '9001', HOST: null, DATABASE_URL: 'postgres://u:p#w@h/db' })
    expect(readFileSync(path, 'utf8')).toBe("# mine\nHOSTNAME=x\nPORT=9001\nDATABASE_URL='postgres://u:p#w@h/db'\n")
  })

  it('takes lines apart as the parser reads them: values of several lines, and names with a colon', async () => {
    const path = join(directory, 'faxdeck.env')
    writeFileSync(path, `PEM="a\nHOST=inside the value\nb"\nHOST: 1.2.3.4\nOTHER=x\n`)
    await changeSettingsFile(directory, { HOST: null, PORT: '9001' })
    const PEM = 'a\nHOST=inside the value\nb'
    expect(parseEnvFile(readFileSync(path, 'utf8'))).toEqual({ PEM, OTHER: 'x', PORT: '9001' })
  })

  it('refuses a value that the file cannot hold, instead of leaving it out', async () => {
    const change = changeSettingsFile(directory, { DATABASE_URL: `postgres://u:'"\`#@h/db` })
    await expect(change).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining('DATABASE_URL') })
    expect(readdirSync(directory)).toEqual(['scratch'])
  })
})
