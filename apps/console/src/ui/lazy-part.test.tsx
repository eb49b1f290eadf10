import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lazyPart, preloadWhenIdle, presentPart } from './lazy-part.tsx'
import { ScreenBoundary } from '../shell/screen-boundary.tsx'

const Greeting = ({ name }: { name: string }) => <p>Hello {name}</p>

describe('a lazy part', () => {
  it('shows the fallback, then itself', async () => {
    const part = lazyPart(() => Promise.resolve(Greeting))
    render(<part.Part name="Ada" fallback={<p>Wait</p>} />)
    screen.getByText('Wait')
    await screen.findByText('Hello Ada')
  })

  it('is there at once when it was fetched ahead, and is fetched once', async () => {
    const fetchPart = vi.fn(() => Promise.resolve(Greeting))
    const part = lazyPart(fetchPart)
    await part.preload()
    render(<part.Part name="Ada" fallback={<p>Wait</p>} />)
    screen.getByText('Hello Ada')
    await part.preload()
    expect(fetchPart).toHaveBeenCalledTimes(1)
  })

  it('is caught by the boundary when its files cannot be fetched', async () => {
    const report = vi.spyOn(console, 'error').mockReturnValue()
    const part = lazyPart<object>(() => Promise.reject(new TypeError('Failed to fetch dynamically imported module')))
    render(
      <ScreenBoundary>
        <part.Part />
      </ScreenBoundary>,
    )
    await screen.findByText('This screen couldn’t be shown')
    screen.getByRole('button', { name: 'Reload' })
    await waitFor(() => expect(report).toHaveBeenCalled())
  })
})

it('a part that comes with the shell is drawn at once', () => {
  const part = presentPart(Greeting)
  render(<part.Part name="Ada" fallback={<p>Wait</p>} />)
  screen.getByText('Hello Ada')
})

describe('fetching ahead', () => {
  const threeParts = () => {
    const fetched: string[] = []
    const parts = ['send', 'jobs', 'inbox'].map((name) => ({
      preload: async () => {
        fetched.push(name)
      },
    }))
    return { fetched, parts }
  }
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('takes one part after another, each when there is nothing better to do', async () => {
    const { fetched, parts } = threeParts()
    preloadWhenIdle(parts)
    expect(fetched).toEqual([])
    await vi.advanceTimersByTimeAsync(100)
    expect(fetched).toEqual(['send'])
    await vi.advanceTimersByTimeAsync(200)
    expect(fetched).toEqual(['send', 'jobs', 'inbox'])
  })

  it('ends when it is stopped', async () => {
    const { fetched, parts } = threeParts()
    const stop = preloadWhenIdle(parts)
    await vi.advanceTimersByTimeAsync(100)
    stop()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(fetched).toEqual(['send'])
  })
})
