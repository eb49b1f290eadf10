import { describe, expect, it } from 'vitest'
import { createDrawing } from './drawing.ts'

const never = new AbortController().signal

/** Draws so many documents; each ends when told. */
function easel(isPressed: () => boolean, count: number, signal = never) {
  const drawing = createDrawing(isPressed)
  const ends: (() => void)[] = []
  const all = Array.from({ length: count }, () => drawing(() => new Promise<void>((end) => ends.push(end)), signal))
  return { ends, all: Promise.allSettled(all) }
}

describe('drawing', () => {
  it('begins a few documents, and the next when one is done', async () => {
    const { ends, all } = easel(() => false, 6)
    await expect.poll(() => ends.length).toBe(4)
    ends[0]?.()
    await expect.poll(() => ends.length).toBe(5)
    ends[1]?.()
    await expect.poll(() => ends.length).toBe(6)
    ends.forEach((end) => end())
    expect(await all).toHaveLength(6)
  })

  it('takes one document after the other while callers wait', async () => {
    let pressed = true
    const { ends, all } = easel(() => pressed, 8)
    await expect.poll(() => ends.length).toBe(1)
    ends[0]?.()
    await expect.poll(() => ends.length).toBe(2)
    pressed = false
    ends[1]?.()
    await expect.poll(() => ends.length).toBe(6)
    ends.forEach((end) => end())
    await expect.poll(() => ends.length).toBe(8)
    ends.forEach((end) => end())
    await all
  })

  it('lets go of those that are told to stop while they wait', async () => {
    const stop = new AbortController()
    const { ends, all } = easel(() => true, 3, stop.signal)
    await expect.poll(() => ends.length).toBe(1)
    stop.abort(new Error('stopping'))
    ends[0]?.()
    const outcomes = await all
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(ends).toHaveLength(1)
  })
})
