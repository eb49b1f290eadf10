import { describe, expect, it } from 'vitest'
import { Fields } from './http/read-fields.ts'
import { plainFax, plainText, plainUpdate } from './plain-words.ts'
import { ProviderProblem } from './provider.ts'

const nasty = 'a\u0000b\u001b[31m\u202e\u2066c\u0085d\ud800'
const plain = 'ab[31mcd\ufffd'

describe('foreign words', () => {
  it('lose what is not seen or turns the direction of writing, and are bounded', () => {
    expect(plainText(nasty)).toBe(plain)
    expect(plainText('one\r\n\ttwo')).toBe('one two')
    expect(plainText('Größe 見出し שלום')).toBe('Größe 見出し שלום')
    expect(plainText('x'.repeat(10_000), 10)).toHaveLength(10)
    expect(plainText('😀😀', 3)).toBe('😀\ufffd')
  })

  it('are plain wherever they come in: fields of answers, refusals, reports and received faxes', () => {
    const fields = new Fields({ status: nasty, long: 'x'.repeat(1_000_000) })
    expect([fields.text('status'), fields.text('long').length]).toEqual([plain, 4000])
    expect(new ProviderProblem('rejected', nasty).message).toBe(plain)
    expect(plainUpdate({ state: 'failed', attemptId: nasty, word: nasty, sentence: nasty })).toEqual({
      state: 'failed',
      ...{ attemptId: plain, word: plain, sentence: plain },
    })
    const bytes = new Uint8Array([0])
    const fax = { providerId: nasty, from: '1'.repeat(10_000), to: '\u0000', pages: null, state: 'received' } as const
    expect(plainFax({ ...fax, document: { bytes } })).toMatchObject({
      ...{ providerId: plain, from: '1'.repeat(100), to: null },
      document: { bytes },
    })
    expect(plainFax({ ...fax, document: { fetch: nasty }, notification: `{"a":"${nasty}"}` })).toMatchObject({
      ...{ document: { fetch: plain }, notification: `{"a":"${plain}"}` },
    })
  })
})
