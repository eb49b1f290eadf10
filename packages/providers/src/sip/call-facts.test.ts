import { CallLog, Spool } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { noteSession, recordOfNote, sessionOf, reportedRecord } from './call-facts.ts'

/** As a real Asterisk 22 wrote them under the shipped dialplan. */
const delivered =
  'attempt=0123456789abcdef&answered=1&cause=16&status=SUCCESS&pages=3&mode=audio&rate=9600&resolution=8031x7700&error=HANGUP&station=%2B15550000000&answeredat=1795432199&endedat=1795432283&codec=(ulaw)&sip=SIP%20200%20OK&rtp=ssrc%3D264932966%3Bthemssrc%3D1770751798%3Blp%3D0%3Brxjitter%3D0.002500%3Brxcount%3D4180%3Btxjitter%3D0.000500%3Btxcount%3D4192%3Brlp%3D0%3Brtt%3D0.000427&end=1'
const busy =
  'attempt=0123456789abcdef&answered=&cause=17&status=&pages=&mode=&rate=&resolution=&error=&station=&answeredat=&endedat=1795432156&codec=(ulaw%7Calaw)&sip=SIP%20486%20Busy%20Here&rtp=&end=1'
const read = (text: string) => reportedRecord(new URLSearchParams(text))

const spool = new Spool('/data/lines/sip')
const session = (change: Record<string, string>) =>
  new Map(
    Object.entries({
      event: 'FAXSession',
      operation: 'send',
      state: 'Active',
      errorcorrectionmode: 'No',
      datarate: '14400',
      imageresolution: '0x0',
      filename: '/data/lines/sip/outbox/0123456789abcdef.tif',
      pagestransmitted: '0',
      pagesreceived: '0',
      totalbadlines: '0',
      ...change,
    }),
  )

describe('the record of a call through Asterisk', () => {
  it('holds what the dialplan reported of a delivery', () => {
    expect(read(delivered)).toEqual({
      transport: 'audio',
      codec: 'ulaw',
      station: '+15550000000',
      speeds: [{ bps: 9600 }],
      pages: 3,
      cause: 16,
      sip: '200 OK',
      jitter_ms: 2.5,
      lost_packets: 0,
      steps: [
        { step: 'answered', at: '2026-11-23T11:09:59.000Z' },
        { step: 'ended', at: '2026-11-23T11:11:23.000Z' },
      ],
    })
  })

  it('claims no speed, codec or pages of a call that nobody took', () => {
    expect(read(busy)).toEqual({
      station: '',
      cause: 17,
      sip: '486 Busy Here',
      steps: [{ step: 'ended', at: '2026-11-23T11:09:16.000Z' }],
    })
  })

  it('claims no speed of a call that broke off before the machines agreed on one, though Asterisk reports its default', () => {
    expect(read(delivered.replace('8031x7700', '0x0').replace('SUCCESS', 'FAILED'))).not.toHaveProperty('speeds')
  })

  it('of a received fax is what its note says', () => {
    const note = { tiffPath: '', uniqueId: '1.2', from: null, to: null, status: 'SUCCESS', pages: 2, error: '' }
    expect(recordOfNote({ ...note, station: '+1 555', call: delivered })).toMatchObject({ pages: 2, station: '+1 555' })
    expect(recordOfNote({ ...note, station: '', call: '' })).toBeUndefined()
  })
})

describe('a fax session that is looked at while it goes on', () => {
  it('reports when the machines agreed, each speed with the page before it, and the pages', () => {
    let second = 0
    const calls = new CallLog(() => new Date(Date.UTC(2026, 10, 23, 9, 0, second)))
    const look = (at: number, change: Record<string, string> = {}) => {
      second = at
      noteSession(session(change), spool, calls)
    }
    const agreed = { imageresolution: '8031x7700', errorcorrectionmode: 'Yes' }
    look(2)
    expect(calls.recordOf('0123456789abcdef')).toEqual({})
    look(8, agreed)
    look(30, { ...agreed, pagestransmitted: '2' })
    look(34, { ...agreed, pagestransmitted: '2', datarate: '9600' })
    expect(calls.recordOf('0123456789abcdef')).toEqual({
      ecm: true,
      speeds: [
        { bps: 14_400, after_page: 0 },
        { bps: 9600, after_page: 2 },
      ],
      steps: [
        { step: 'agreed', at: '2026-11-23T09:00:08.000Z' },
        { step: 'page', page: 2, at: '2026-11-23T09:00:30.000Z' },
      ],
    })
  })

  it('of somebody else on the same switch is left alone', () => {
    const calls = new CallLog(() => new Date())
    for (const filename of ['/var/spool/asterisk/fax/x.tif', '/data/lines/sip/outbox/../x.tif', ''])
      noteSession(session({ filename, imageresolution: '8031x7700' }), spool, calls)
    expect(calls.live()).toEqual([])
  })

  it('that receives is known by the name of its file', () => {
    expect(sessionOf('/data/lines/sip/inbox/1795431954.1_+15555550123_+15550000001.tif', spool)).toEqual({
      id: '1795431954.1',
      direction: 'received',
      numbers: { to: '+15555550123', from: '+15550000001' },
    })
  })
})
