import { mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Spool } from './spool.ts'
import { freshFolder } from '../testing/recording-host.ts'

const attempt = 'a'.repeat(32)

async function spoolWithPages(folder?: string) {
  const directory = folder ?? (await freshFolder())
  await mkdir(directory, { recursive: true })
  const tiff = join(directory, 'pages.tiff')
  await writeFile(tiff, 'pages', { mode: 0o600 })
  return { spool: new Spool(directory), tiff }
}

describe('the folder shared with a telephone engine', () => {
  it('knows what was certainly not handed over from what may have been', async () => {
    const { spool, tiff } = await spoolWithPages()
    expect(await spool.handoverOf(attempt)).toBeUndefined()
    await spool.prepare(attempt, tiff)
    expect(await spool.handoverOf(attempt)).toBe('prepared')
    const path = await spool.handOver(attempt)
    expect(await spool.handoverOf(attempt)).toBe('handed')
    expect(await readFile(path, 'utf8')).toBe('pages')
    expect(await spool.listHanded()).toEqual([attempt])
    await spool.settle(attempt)
    expect(await readdir(spool.outbox)).toEqual([])
  })

  it('refuses pages that are missing, and ids and paths that would mean something to an engine', async () => {
    const { spool, tiff } = await spoolWithPages()
    await expect(spool.prepare(attempt, null)).rejects.toMatchObject({ kind: 'bad_document' })
    await expect(spool.prepare(attempt, `${tiff}.none`)).rejects.toMatchObject({ kind: 'bad_document' })
    await expect(spool.prepare('../../evil', tiff)).rejects.toMatchObject({ kind: 'rejected' })
    const odd = await spoolWithPages(join(await freshFolder(), 'a,b&c'))
    await expect(odd.spool.prepare(attempt, odd.tiff)).rejects.toMatchObject({ kind: 'rejected' })
    expect(await readdir(spool.outbox)).toEqual([])
  })

  it('says that nothing was handed over when the disk does not take the pages', async () => {
    const { tiff } = await spoolWithPages()
    await expect(new Spool('/dev/null/nowhere').prepare(attempt, tiff)).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('reads results, none that floods it, and lists attempts only', async () => {
    const { spool } = await spoolWithPages()
    await spool.prepareFolders()
    await writeFile(spool.resultPath(attempt), 'told')
    await writeFile(join(spool.results, 'b'.repeat(32)), 'x'.repeat(100_000))
    await writeFile(join(spool.results, '.hidden'), 'x')
    expect(await spool.readResult(attempt)).toBe('told')
    expect(await spool.readResult('b'.repeat(32))).toBeUndefined()
    expect(await spool.readResult('c'.repeat(32))).toBeUndefined()
    expect((await spool.listResults()).sort()).toEqual([attempt, 'b'.repeat(32)])
  })

  it('does not follow links out of the inbox', async () => {
    const { spool, tiff } = await spoolWithPages()
    await spool.prepareFolders()
    await symlink(tiff, join(spool.inbox, 'link.tif'))
    await writeFile(join(spool.inbox, 'fax.tif'), 'pages')
    expect((await spool.listInbox()).map(({ name }) => name)).toEqual(['fax.tif'])
  })

  it('removes pages that nobody has reported on for days', async () => {
    const { spool, tiff } = await spoolWithPages()
    for (const id of [attempt, 'b'.repeat(32)]) {
      await spool.prepare(id, tiff)
      await spool.handOver(id)
    }
    const old = new Date(Date.now() - 4 * 24 * 3_600_000)
    await utimes(spool.pagesPath(attempt), old, old)
    await spool.dropRubbish(new Date())
    expect(await spool.listHanded()).toEqual(['b'.repeat(32)])
  })
})
