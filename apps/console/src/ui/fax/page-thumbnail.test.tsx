import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { PageThumbnail } from './page-thumbnail.tsx'

afterEach(() => {
  vi.restoreAllMocks()
})

const picture = () => Promise.resolve(new Blob(['png']))

describe('a page', () => {
  it('is shown when its picture has come, and given back to memory when it leaves', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:1')
    const revoke = vi.spyOn(URL, 'revokeObjectURL')
    const { unmount } = render(<PageThumbnail load={picture} label="Page 1 of 2" />)
    expect((await screen.findByRole('img', { name: 'Page 1 of 2' })).getAttribute('src')).toBe('blob:1')
    expect(revoke).not.toHaveBeenCalled()
    unmount()
    expect(revoke).toHaveBeenCalledWith('blob:1')
  })

  it('cancels the call when it leaves before the picture has come', () => {
    let signalOfCall: AbortSignal | undefined
    const never = (signal: AbortSignal) => {
      signalOfCall = signal
      return new Promise<Blob>(() => undefined)
    }
    const { unmount } = render(<PageThumbnail load={never} label="Page 1" />)
    screen.getByText('Page 1: loading')
    unmount()
    expect(signalOfCall?.aborted).toBe(true)
  })

  it('says when there is no picture', async () => {
    render(<PageThumbnail load={() => Promise.reject(new Error('gone'))} label="Page 1" />)
    await screen.findByText('Page 1: no picture')
  })

  it('is not fetched before it comes into view', () => {
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        observe = () => undefined
        disconnect = () => undefined
      },
    )
    const load = vi.fn(picture)
    render(<PageThumbnail load={load} label="Page 1" />)
    expect(load).not.toHaveBeenCalled()
  })

  it('opens', async () => {
    const open = vi.fn()
    render(<PageThumbnail load={picture} label="Page 1" onOpen={open} />)
    await userEvent.setup().click(screen.getByRole('button', { name: 'Open Page 1' }))
    expect(open).toHaveBeenCalledOnce()
  })
})
