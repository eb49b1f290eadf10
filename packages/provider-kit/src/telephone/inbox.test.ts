import { readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { freshFolder, RecordingHost } from '../testing/recording-host.ts'
import { Inbox } from './inbox.ts'
import { Spool } from './spool.ts'

const note = {
  tiff_path: '/ignored',
  to_number: '+15557654321',
  from_number: '+15551234567',
  faxstatus: 'SUCCESS',
  faxpages: '3',
  uniqueid: '1767351600.42',
}

async function postbox() {
  const host = new RecordingHost(await freshFolder())
  const spool = new Spool(host.directory)
  await spool.prepareFolders()
  const up = new Set<string>()
  const inbox = new Inbox(host, spool, undefined, (id) => up.has(id))
  const put = (name: string, text: string) => writeFile(join(spool.inbox, name), text)
  const age = (name: string, minutes: number) => {
    const then = new Date(Date.now() - minutes * 60_000)
    return utimes(join(spool.inbox, name), then, then)
  }
  return { host, inbox, put, age, spool, up, names: () => readdir(spool.inbox) }
}

describe('received faxes in the shared folder', () => {
  it('are handed over with what was noted, and removed when they are kept', async () => {
    const { host, inbox, put, names, spool } = await postbox()
    await put('a.tif', 'pages')
    await put('a.tif.json', JSON.stringify(note))
    await inbox.collect()
    expect(host.received).toMatchObject([
      {
        providerId: '1767351600.42',
        from: '+15551234567',
        to: '+15557654321',
        pages: 3,
        state: 'received',
        document: { path: join(spool.inbox, 'a.tif') },
      },
    ])
    expect(await names()).toEqual([])
  })

  it('stay while receiving is off, and while they cannot be recorded', async () => {
    const { host, inbox, put, names } = await postbox()
    await put('a.tif', 'pages')
    await put('a.tif.json', JSON.stringify(note))
    host.receives = false
    await inbox.collect()
    host.receives = true
    host.refuse = () => {
      throw new Error('database is locked')
    }
    await inbox.collect()
    expect(await names()).toHaveLength(2)
    expect(host.warnings).toHaveLength(1)
    host.refuse = () => undefined
    await inbox.collect()
    expect(await names()).toEqual([])
  })

  it('that broke off come with the pages there are, or without any', async () => {
    const { host, inbox, put } = await postbox()
    const failed = { ...note, faxstatus: 'FAILED', faxerror: 'The call dropped prematurely' }
    await put('a.tif', 'pages')
    await put('a.tif.json', JSON.stringify({ ...failed, faxpages: 2, uniqueid: '1.1' }))
    await put('b.tif.json', JSON.stringify({ ...failed, faxpages: '', uniqueid: '1.2' }))
    await inbox.collect()
    const sentence = 'The call was cut off while the fax was received: The call dropped prematurely.'
    expect(host.received).toMatchObject([
      { providerId: '1.1', state: 'failed', pages: 2, sentence, document: { path: expect.any(String) as unknown } },
      { providerId: '1.2', state: 'failed', pages: 0, sentence, document: null },
    ])
  })

  it('without a note are picked up after ten minutes, and are not claimed to be complete', async () => {
    const { host, inbox, put, age, names } = await postbox()
    await put('1767351600.42_+15557654321_+15551234567.tif', 'pages')
    await put('1767351600.43_555_.tif', 'pages')
    await inbox.collect()
    expect(host.received).toEqual([])
    await age('1767351600.42_+15557654321_+15551234567.tif', 11)
    await inbox.collect()
    expect(host.received).toMatchObject([
      { providerId: '1767351600.42', to: '+15557654321', from: '+15551234567', pages: null, state: 'unclear' },
    ])
    expect(await names()).toEqual(['1767351600.43_555_.tif'])
  })

  it('are left alone while their call goes on, however long a page takes', async () => {
    const { host, inbox, put, age, up } = await postbox()
    await put('1767351600.42_+15557654321_+15551234567.tif', 'pages')
    await age('1767351600.42_+15557654321_+15551234567.tif', 11)
    up.add('1767351600.42')
    await inbox.collect()
    expect(host.received).toEqual([])
    up.clear()
    await inbox.collect()
    expect(host.received).toMatchObject([{ providerId: '1767351600.42', state: 'unclear' }])
  })

  it('with a note that stays unreadable, or without a word about their end, need a look', async () => {
    const { host, inbox, put, age, names } = await postbox()
    await put('1.1_555_.tif', 'pages')
    await put('1.1_555_.tif.json', JSON.stringify(note).slice(0, -1))
    await put('b.tif', 'pages')
    await put('b.tif.json', JSON.stringify({ ...note, faxstatus: undefined }))
    await age('1.1_555_.tif.json', 11)
    await inbox.collect()
    expect(host.received.toSorted((a, b) => a.providerId.localeCompare(b.providerId))).toMatchObject([
      { providerId: '1.1', to: '555', state: 'unclear', document: { path: expect.any(String) as unknown } },
      { providerId: note.uniqueid, state: 'unclear', document: { path: expect.any(String) as unknown } },
    ])
    expect(await names()).toEqual([])
  })

  it('are none when they are links, notes cut in the middle, or other files', async () => {
    const { host, inbox, put, age, spool } = await postbox()
    await put('a.tif', 'pages')
    await put('a.tif.json', JSON.stringify(note).slice(0, -1))
    await put('b.tif.json', '{"uniqueid":""}')
    await put('readme.txt', 'x')
    await symlink('/etc/hostname', join(spool.inbox, '1.1_2_3.tif'))
    await age('a.tif', 60)
    await age('readme.txt', 60)
    await inbox.collect()
    expect(host.received).toEqual([])
  })
})
