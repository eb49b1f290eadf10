import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { createQueryClient } from './query-client.ts'
import { useAction } from './use-action.ts'

function inside() {
  const queries = createQueryClient()
  return ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  )
}

describe('an action', () => {
  it('runs once however often it is asked for in the same moment, and again when it has ended', async () => {
    const perform = vi.fn(() => Promise.resolve())
    const onDone = vi.fn()
    const { result } = renderHook(() => useAction(perform, { onDone }), { wrapper: inside() })
    act(() => {
      result.current.run(undefined)
      result.current.run(undefined)
    })
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1))
    act(() => result.current.run(undefined))
    await waitFor(() => expect(onDone).toHaveBeenCalledTimes(2))
    expect(perform).toHaveBeenCalledTimes(2)
  })

  it('keeps its failure until the next run, and can run again after it', async () => {
    const perform = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValueOnce('yes')
    const onDone = vi.fn()
    const { result } = renderHook(() => useAction<string, string>(perform, { onDone }), { wrapper: inside() })
    act(() => result.current.run('a'))
    await waitFor(() => expect(result.current.error).toEqual(new Error('no')))
    expect(onDone).not.toHaveBeenCalled()
    act(() => result.current.run('b'))
    await waitFor(() => expect(onDone).toHaveBeenCalledWith('yes', 'b'))
    expect(result.current.error).toBeNull()
  })

  it('stays busy until what it made stale is fresh again', async () => {
    const answers: (() => void)[] = []
    const read = () => new Promise<number>((answer) => answers.push(() => answer(answers.length)))
    const { result } = renderHook(
      () => {
        const list = useQuery({ queryKey: ['list'], queryFn: read })
        const action = useAction(() => Promise.resolve(), { refreshes: [['list']] })
        return { list, action }
      },
      { wrapper: inside() },
    )
    answers[0]?.()
    await waitFor(() => expect(result.current.list.data).toBe(1))
    act(() => result.current.action.run(undefined))
    await waitFor(() => expect(answers).toHaveLength(2))
    expect(result.current.action.busy).toBe(true)
    answers[1]?.()
    await waitFor(() => expect(result.current.action.busy).toBe(false))
    expect(result.current.list.data).toBe(2)
  })
})
