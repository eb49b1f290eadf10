import { describe, expect, it } from 'vitest'
import { hasBegunPage, judgeBrokenCall } from './broken-call.ts'

const dropped = 'The call dropped prematurely'

describe('a call that somebody took and that did not deliver', () => {
  it('is partial as soon as a page is confirmed, whatever the engine says', () => {
    for (const error of [dropped, 'Timed out waiting for initial communication', '']) {
      expect(judgeBrokenCall({ error, pages: 1, hasBegun: true })).toMatchObject({ kind: 'partial' })
    }
    expect(judgeBrokenCall({ error: dropped, pages: 2, hasBegun: true }).sentence).toBe(
      'The call was cut off after 2 pages: The call dropped prematurely.',
    )
  })

  // Each of them is reported of a fax whose only page has arrived and whose confirmation has not.
  it.each([
    dropped,
    'No response after sending a page',
    'Received a DCN from remote after sending a page',
    'Invalid response after sending a page',
    'Invalid ECM response received from receiver',
    'Timed out waiting for receiver ready (ECM mode)',
    'The HDLC carrier did not stop in a timely manner',
    'Disconnected after permitted retries',
    'Unexpected message received',
    'HANGUP',
    'words of another build',
    '',
  ])('is partial without a confirmed page when one may have arrived: %j', (error) => {
    expect(judgeBrokenCall({ error, pages: 0, hasBegun: true })).toMatchObject({ kind: 'partial' })
    expect(judgeBrokenCall({ error, pages: 0, hasBegun: false })).toMatchObject({ kind: 'line_error' })
  })

  it.each([
    'Timed out waiting for initial communication',
    'Timed out waiting for the first message',
    'Failed to train with any of the compatible modems',
    'Received bad response to DCS or training',
    'Received no response to DCS or TCF',
    'Received no response to DCS, training or TCF',
    'Received a DCN while waiting for a DIS',
    'Received other than DIS while waiting for DIS',
    'T38_NEG_ERROR',
  ])('is a line error when its words leave no room for a page: %j', (error) => {
    expect(judgeBrokenCall({ error, pages: 0, hasBegun: true })).toMatchObject({ kind: 'line_error' })
  })

  it.each([dropped, 'HANGUP', 'T38_NEG_ERROR', 'Timed out waiting for initial communication', ''])(
    'was answered by a person where no machine told who it is: %j',
    (error) => {
      const sentence = 'Somebody answered, but no fax machine was heard. Check the number.'
      const voice = { kind: 'line_error', again: 'unheard', sentence }
      expect(judgeBrokenCall({ error, pages: 0, hasBegun: false, hasIdentified: false })).toEqual(voice)
      expect(judgeBrokenCall({ error, pages: 0, hasBegun: false, hasIdentified: true }).again).toBeUndefined()
    },
  )

  it('was answered by a machine where the engine came further than silence', () => {
    const trained = { error: 'Failed to train with any of the compatible modems', pages: 0, hasBegun: false }
    expect(judgeBrokenCall({ ...trained, hasIdentified: false }).again).toBeUndefined()
    expect(judgeBrokenCall({ error: dropped, pages: 0, hasBegun: true, hasIdentified: false })).toMatchObject({
      kind: 'partial',
    })
  })

  it('says so when a page may have been printed', () => {
    expect(judgeBrokenCall({ error: dropped, pages: 0, hasBegun: true }).sentence).toBe(
      'The call was cut off, and the first page may have been printed: The call dropped prematurely.',
    )
    expect(judgeBrokenCall({ error: dropped, pages: 0, hasBegun: false }).sentence).toBe(
      'The call was cut off before the first page: The call dropped prematurely.',
    )
  })

  it('has begun with a page unless the engine is certain that it has not', () => {
    expect(['0x0', '8031x7700', '', undefined].map(hasBegunPage)).toEqual([false, true, true, true])
  })
})
