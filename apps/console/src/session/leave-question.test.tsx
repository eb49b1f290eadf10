import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderScreen } from '../testing/render-screen.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { useSession } from './session.ts'
import { visit } from './visit.ts'

function Form({ unsaved }: { unsaved: boolean }) {
  const { go, visit: present } = useSession()
  if (present.place !== 'settings/setup') return <p>Elsewhere</p>
  return (
    <>
      <button type="button" onClick={() => go('jobs')}>
        Jobs
      </button>
      <button type="button" onClick={() => go('settings/setup', { open: 'more' })}>
        More
      </button>
      <LeaveQuestion when={unsaved} title="Leave?">
        It is lost.
      </LeaveQuestion>
    </>
  )
}

function show(unsaved: boolean) {
  visit({ place: 'dashboard' })
  return renderScreen(<Form unsaved={unsaved} />, { at: { place: 'settings/setup' } })
}
const place = () => history.state as unknown

describe('leaving with something unsaved', () => {
  it('asks first, stays, and leaves when told to', async () => {
    const { user } = show(true)
    await user.click(screen.getByRole('button', { name: 'Jobs' }))
    screen.getByText('It is lost.')
    expect(place()).toEqual({ place: 'settings/setup' })
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Jobs' }))
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    screen.getByText('Elsewhere')
    expect(place()).toEqual({ place: 'jobs' })
  })

  it('asks also when the browser goes back, and goes there when told to', async () => {
    const { user } = show(true)
    act(() => history.back())
    await screen.findByRole('dialog', { name: 'Leave?' })
    expect(place()).toEqual({ place: 'settings/setup' })
    await user.click(screen.getByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(place()).toEqual({ place: 'dashboard' }))
    screen.getByText('Elsewhere')
  })

  it('asks the browser to ask before the page is closed', () => {
    show(true)
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(false)
  })

  it('does not ask about another view of the same place', async () => {
    const { user } = show(true)
    await user.click(screen.getByRole('button', { name: 'More' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(place()).toEqual({ place: 'settings/setup', open: 'more' })
  })
})

describe('leaving with nothing unsaved', () => {
  it('does not ask', async () => {
    const { user } = show(false)
    expect(dispatchEvent(new Event('beforeunload', { cancelable: true }))).toBe(true)
    await user.click(screen.getByRole('button', { name: 'Jobs' }))
    screen.getByText('Elsewhere')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
