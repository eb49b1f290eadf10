import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { writeMigrated } from '../testing/migrated-file.ts'
import { backUp } from './backup.ts'

it('a backup has the received faxes of a line, and not the passwords of a program that the line runs', async () => {
  const base = await mkdtemp(join(tmpdir(), 'faxdeck-backup-'))
  onTestFinished(() => rm(base, { recursive: true, force: true }))
  const directory = join(base, 'data')
  await mkdir(join(directory, 'lines/trunk/engine/etc'), { recursive: true })
  await mkdir(join(directory, 'lines/trunk/inbox'))
  await writeMigrated(join(directory, 'faxdeck.db'))
  await writeFile(join(directory, 'lines/trunk/engine/etc/pjsip.conf'), 'password = secret')
  await writeFile(join(directory, 'lines/trunk/inbox/1.1.tif'), 'pages')
  const order = { directory, target: join(base, 'copy'), env: {}, now: new Date(), onProgress: () => undefined }
  const paths = (await backUp(order)).files.map(({ path }) => path)
  expect(paths.filter((path) => path.startsWith('lines'))).toEqual(['lines/trunk/inbox/1.1.tif'])
})
