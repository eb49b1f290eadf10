import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { IncomingFax } from '@faxdeck/provider-kit'
import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { expect, it } from 'vitest'
import { readQuality, TestCalls } from './test-calls.ts'

it('a call of the line test is nobody’s fax, whether it brings its page or breaks off before', async () => {
  const host = new RecordingHost(await freshFolder())
  const calls = new TestCalls(host)
  const call = calls.begin()
  const fax: IncomingFax = { providerId: '1.1', from: null, to: null, pages: 0, state: 'failed', document: null }
  expect(await calls.receive({ ...fax, call: { station: call.station } })).toBe(true)
  const path = join(host.directory, 'page.tif')
  await writeFile(path, 'page')
  await calls.receive({ ...fax, state: 'received', call: { station: call.station }, document: { path } })
  expect(Buffer.from(await call.arrived).toString()).toBe('page')
  expect(host.received).toEqual([])
  await calls.receive({ ...fax, call: { station: 'TEST 1' } })
  await calls.receive(fax)
  expect(host.received).toHaveLength(2)
})

it('the loss of a call is that of the direction that lost more', () => {
  const of = (more: string) => readQuality(`ssrc=1;rxjitter=0.012;rxcount=990;txcount=1000;${more}`)
  expect(of('lp=10;rlp=0')).toEqual({ lossPercent: 1, jitterMs: 12 })
  expect(of('lp=0;rlp=20')?.lossPercent).toBe(2)
  expect(of('lp=0')?.lossPercent).toBe(0)
  expect(readQuality('lp=0;rxcount=0;rxjitter=0')).toBeUndefined()
})
