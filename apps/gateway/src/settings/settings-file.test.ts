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
import { allowedFile, changeSettingsFile, writeSettingsFile } from './settings-file.ts'

const rows = coreRows([])
let directory = ''
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faxdeck-file-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

describe('allowedFile', () => {
  it('is faxdeck.env, or another .env file of the data directory', async () => {
    expect(await allowedFile(directory)).toBe(join(directory, 'faxdeck.env'))
    expect(await allowedFile(directory, 'other.env')).toBe(join(directory, 'other.env'))
    expect(await allowedFile(directory, join(directory, 'a.env'))).toBe(join(directory, 'a.env'))
  })

  it.each(['/etc/faxdeck.env', '../faxdeck.env', 'no/such/folder/a.env', 'faxdeck.db', 'master-key', '.', ''])(
    'is not %j',
    async (path) => {
      await expect(allowedFile(directory, path)).rejects.toMatchObject({ code: 'path_refused' })
    },
  )

  it('is never reached through a link', async () => {
    symlinkSync('/etc', join(directory, 'link'))
    symlinkSync('/etc/hosts', join(directory, 'hosts.env'))
    mkdirSync(join(directory, 'folder.env'))
    for (const path of ['link/a.env', 'hosts.env', 'folder.env']) {
      await expect(allowedFile(directory, path)).rejects.toMatchObject({ code: 'path_refused' })
    }
  })
})

describe('writeSettingsFile', () => {
  it('keeps what an export without secrets leaves out, and nothing else', async () => {
    const path = join(directory, 'faxdeck.env')
    writeFileSync(path, "S3_KMS_KEY_ID='it is #1'\nPORT=9000\nAPI_KEY=bootstrap-key\nAWS_REGION=eu\n")
    await writeSettingsFile(rows, path, 'HOST=127.0.0.1\n')
    expect(parseEnvFile(readFileSync(path, 'utf8'))).toEqual({
      HOST: '127.0.0.1',
      S3_KMS_KEY_ID: 'it is #1',
      API_KEY: 'bootstrap-key',
      AWS_REGION: 'eu',
    })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(directory)).toEqual(['faxdeck.env'])
  })
})

describe('changeSettingsFile', () => {
  it('changes, adds and removes single variables and leaves the rest as it stands', async () => {
    const path = join(directory, 'faxdeck.env')
    writeFileSync(path, '# mine\nPORT=9000\nHOSTNAME=x\nexport HOST=1.2.3.4\n')
    await changeSettingsFile(directory, { PORT: '9001', HOST: null, DATABASE_URL: 'postgres://u:p#w@h/db' })
    expect(readFileSync(path, 'utf8')).toBe("# mine\nHOSTNAME=x\nPORT=9001\nDATABASE_URL='postgres://u:p#w@h/db'\n")
  })
})
