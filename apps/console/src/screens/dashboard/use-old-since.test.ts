import { act, renderHook } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useOldSince } from './use-old-since.ts'

const at = Date.parse('2026-03-01T12:00:00Z')

beforeEach(() => void vi.useFakeTimers({ now: at }))
afterEach(() => void vi.useRealTimers())

describe('an answer on the dashboard', () => {
  const shown = () =>
    renderHook((asked: Parameters<typeof useOldSince>[0]) => useOldSince(asked), {
      initialProps: { dataUpdatedAt: at, isRefetchError: false },
    })

  it('is old once three questions had no answer, also while the gateway keeps silent', () => {
    const { result, rerender } = shown()
    expect(result.current).toBeUndefined()
    act(() => void vi.advanceTimersByTime(14_000))
    expect(result.current).toBeUndefined()
    act(() => void vi.advanceTimersByTime(1000))
    expect(result.current).toBe('2026-03-01T12:00:00.000Z')
    rerender({ dataUpdatedAt: at + 15_000, isRefetchError: false })
    expect(result.current).toBeUndefined()
  })

  it('is old at once when the next question fails', () => {
    const { result, rerender } = shown()
    rerender({ dataUpdatedAt: at, isRefetchError: true })
    expect(result.current).toBe('2026-03-01T12:00:00.000Z')
  })

  it('is not old before there is one', () => {
    const { result } = renderHook(() => useOldSince({ dataUpdatedAt: 0, isRefetchError: true }))
    expect(result.current).toBeUndefined()
  })
})
