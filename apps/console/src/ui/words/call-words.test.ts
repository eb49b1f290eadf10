import { describe, expect, it } from 'vitest'
import { callFacts, callParts, lengthWords, speedWords } from './call-words.ts'

const at = (second: number) => new Date(Date.UTC(2026, 10, 23, 9, 0, second)).toISOString()

describe('the words for a call', () => {
  it('say each speed and when it was first seen', () => {
    expect(speedWords({ speeds: [{ bps: 14_400, after_page: 0 }] })).toBe('14,400 bit/s')
    const slower = { bps: 9600, after_page: 2 }
    expect(speedWords({ speeds: [{ bps: 14_400, after_page: 0 }, slower] })).toBe('14,400 → 9,600 bit/s after page 2')
    expect(speedWords({ speeds: [{ bps: 14_400 }, { bps: 9600 }] })).toBe('14,400 → 9,600 bit/s')
    expect(speedWords({})).toBeUndefined()
  })

  it('have no row for what the engine did not report', () => {
    expect(callFacts({ cause: 17, sip: '486 Busy Here' }).map(({ name, value }) => `${name}: ${value}`)).toEqual([
      'SIP response: 486 Busy Here',
      'Hang-up cause: 17, busy',
    ])
    expect(callFacts({ station: '' })).toEqual([])
  })

  it('name the codec as people know it, whichever engine reported it', () => {
    const carriedAs = (codec: string) => callFacts({ transport: 'audio', codec })[0]?.value
    expect(carriedAs('ulaw')).toBe('Audio (G.711 μ\u2011law)')
    expect(carriedAs('PCMA')).toBe('Audio (G.711 A\u2011law)')
    expect(carriedAs('opus')).toBe('Audio (opus)')
  })
})

describe('the parts of a call', () => {
  it('lie between its steps, and are named after what came of them', () => {
    const steps = [
      { step: 'dialed', at: at(0) },
      { step: 'answered', at: at(4) },
      { step: 'agreed', at: at(11) },
      { step: 'page', page: 1, at: at(30) },
      { step: 'page', page: 3, at: at(75) },
      { step: 'ended', at: at(77) },
    ] as const
    const said = (count: number, last: (typeof steps)[number] = steps[5]) =>
      callParts({ steps: [...steps.slice(0, count), last] }).map(({ name, seconds }) => `${name} ${seconds}`)
    expect(said(5)).toEqual(['Ringing 4', 'Negotiating 7', 'Page 1 19', 'Pages 2 to 3 45', 'Closing 2'])
    expect(said(1, { step: 'ended', at: at(20) })).toEqual(['Ringing 20'])
    expect(said(3, { step: 'ended', at: at(20) }).at(-1)).toBe('Unfinished page 9')
    expect(callParts({ steps: [steps[5]] })).toEqual([])
  })

  it('have lengths that people read', () => {
    expect([0.2, 1, 59.4, 65, 600].map(lengthWords)).toEqual(['under 1 s', '1 s', '59 s', '1:05 min', '10:00 min'])
  })
})
