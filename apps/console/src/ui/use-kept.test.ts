import { act, renderHook } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { forgetKept, useKept } from './use-kept.ts'

describe('kept state', () => {
  it('is there again when the screen comes back', () => {
    const first = renderHook(() => useKept('jobs.filter', { q: '' }))
    act(() => first.result.current[1]({ q: '0123' }))
    expect(first.result.current[0]).toEqual({ q: '0123' })
    first.unmount()
    expect(renderHook(() => useKept('jobs.filter', { q: '' })).result.current[0]).toEqual({ q: '0123' })
    expect(renderHook(() => useKept('inbox.filter', { q: '' })).result.current[0]).toEqual({ q: '' })
  })

  it('is forgotten, and nothing that is not ours', () => {
    sessionStorage.setItem('other', '1')
    const { result } = renderHook(() => useKept('jobs.filter', ''))
    act(() => result.current[1]('x'))
    forgetKept()
    expect(Object.keys(sessionStorage)).toEqual(['other'])
  })
})
