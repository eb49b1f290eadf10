import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readInside } from './keep-document.ts'

async function folders() {
  const parent = await mkdtemp(join(tmpdir(), 'faxdeck-inside-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const data = join(parent, 'data')
  await mkdir(join(data, 'lines'), { recursive: true })
  await writeFile(join(data, 'lines', 'fax.tiff'), 'pages')
  await writeFile(join(parent, 'secret.txt'), 'secret')
  return { parent, data }
}

it('reads a file inside the data directory', async () => {
  const { data } = await folders()
  expect((await readInside(data, join(data, 'lines', 'fax.tiff'))).toString()).toBe('pages')
  expect((await readInside(data, join(data, 'lines', '..', 'lines', 'fax.tiff'))).toString()).toBe('pages')
})

it('takes a relative path from the data directory on', async () => {
  const { data } = await folders()
  expect((await readInside(data, 'lines/fax.tiff')).toString()).toBe('pages')
})

it('says that a document is not where the notice says', async () => {
  const { data } = await folders()
  for (const path of ['lines/none.tiff', 'lines/fax.tiff/none', 'lines/fax.tiff\0'])
    await expect(readInside(data, path), path).rejects.toMatchObject({ name: 'ProviderProblem', kind: 'rejected' })
})

it('also where the data directory itself is a link', async () => {
  const { parent, data } = await folders()
  await symlink(data, join(parent, 'linked'))
  expect((await readInside(join(parent, 'linked'), join(parent, 'linked', 'lines', 'fax.tiff'))).toString()).toBe(
    'pages',
  )
})

it('refuses what lies outside, however it is reached', async () => {
  const { parent, data } = await folders()
  await symlink(join(parent, 'secret.txt'), join(data, 'link.tiff'))
  await symlink(parent, join(data, 'up'))
  const outside = ['../secret.txt', 'link.tiff', 'up/secret.txt', 'up/data/lines/fax.tiff'].map((path) =>
    join(data, path),
  )
  for (const path of [...outside, `${data}/../secret.txt`, join(parent, 'secret.txt')]) {
    await expect(readInside(data, path), path).rejects.toMatchObject({ name: 'ProviderProblem', kind: 'rejected' })
  }
})
