import { render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { lazyPart } from './lazy-part.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'

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
    await screen.findByText('This screen could not be shown')
    screen.getByRole('button', { name: 'Load again' })
    await waitFor(() => expect(report).toHaveBeenCalled())
  })
})
