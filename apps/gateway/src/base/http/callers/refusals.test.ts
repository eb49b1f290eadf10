import { describe, expect, it, vi } from 'vitest'
import { Refusals } from './refusals.ts'

function book() {
  const written: { address: string; count: number }[] = []
  const onFailure = vi.fn()
  let broken = false
  const refusals = new Refusals({
    record: async (facts) => {
      if (broken) throw new Error('The database is away.')
      written.push(...facts.map(({ address, count }) => ({ address, count })))
    },
    onFailure,
  })
  const from = (address: string) => refusals.add({ path: '/courier', backend: 'courier', address })
  return { refusals, from, written, onFailure, breakDown: (now: boolean) => (broken = now) }
}

describe('requests without proof', () => {
  it('are recorded at the first one, then as a sum each minute, and as new after a quiet minute', async () => {
    const { refusals, from, written } = book()
    for (let n = 0; n < 2000; n++) await from('203.0.113.9')
    expect(written).toEqual([{ address: '203.0.113.9', count: 1 }])
    await refusals.flush()
    await from('203.0.113.9')
    await refusals.flush()
    await refusals.flush()
    await from('203.0.113.9')
    expect(written.map(({ count }) => count)).toEqual([1, 1999, 1, 1])
    await refusals.close()
  })

  it('of many senders are told apart up to a hundred; the others are one', async () => {
    const { refusals, from, written } = book()
    for (let n = 0; n < 5000; n++) await from(`sender-${n}`)
    expect(written).toHaveLength(101)
    await refusals.close()
    expect(written.slice(101)).toEqual([{ address: 'others', count: 4899 }])
  })

  it('are not forgotten when they cannot be recorded', async () => {
    const { refusals, from, written, onFailure, breakDown } = book()
    await from('a')
    await from('a')
    breakDown(true)
    await refusals.flush()
    expect(onFailure).toHaveBeenCalledOnce()
    breakDown(false)
    await refusals.close()
    expect(written.map(({ count }) => count)).toEqual([1, 1])
  })
})
