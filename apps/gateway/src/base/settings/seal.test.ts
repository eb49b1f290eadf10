import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { seal, SealBroken, unseal } from './seal.ts'

const key = randomBytes(32)

describe('seal', () => {
  it('opens under the same key and name, and never looks the same twice', () => {
    const sealed = seal(key, 'phaxio_api_key', 'sëcret')
    expect(unseal(key, 'phaxio_api_key', sealed)).toBe('sëcret')
    expect(sealed).not.toContain('sëcret')
    expect(seal(key, 'phaxio_api_key', 'sëcret')).not.toBe(sealed)
  })

  it('opens neither with another key, nor under another name, nor when a bit was changed or cut off', () => {
    const sealed = seal(key, 'phaxio_api_key', 'secret')
    const bytes = Buffer.from(sealed, 'base64url')
    const flipped = Buffer.from(bytes.map((byte, index) => (index === bytes.length - 1 ? byte ^ 1 : byte)))
    expect(() => unseal(randomBytes(32), 'phaxio_api_key', sealed)).toThrow(SealBroken)
    expect(() => unseal(key, 'sinch_api_key', sealed)).toThrow(SealBroken)
    expect(() => unseal(key, 'phaxio_api_key', flipped.toString('base64url'))).toThrow(SealBroken)
    expect(() => unseal(key, 'phaxio_api_key', sealed.slice(0, 20))).toThrow(SealBroken)
    expect(() => unseal(key, 'phaxio_api_key', '')).toThrow(SealBroken)
  })
})
