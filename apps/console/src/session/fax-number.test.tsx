import { act, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addJob } from '../demo/faxes/fake-jobs.ts'
import { emptyWorld } from '../demo/world.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { FaxNumber } from './fax-number.tsx'

afterEach(() => void vi.useRealTimers())

function shown(look?: 'list') {
  const world = emptyWorld()
  const { job } = addJob(world, '+15555550123')
  const number = <FaxNumber id={job.id} side="sent" number={job.to_number} {...(look && { look })} />
  return { job, ...renderScreen(number, { world }) }
}
const button = (name: RegExp) => screen.findByRole('button', { name })

describe('the number of a fax', () => {
  it.each([undefined, 'list'] as const)(
    'is shown in full when asked for, can be copied and hidden (%s)',
    async (look) => {
      const { user, world, job } = shown(look)
      expect(screen.queryByText('+1 555 555 0123')).toBeNull()
      await user.click(await button(/^Show number ending in 0123$/))
      await screen.findByText('+1 555 555 0123')
      expect(world.events.filter(({ event }) => event === 'number_shown')).toMatchObject([{ job_id: job.id }])
      expect(document.activeElement).toBe(await button(/^Copy number/))
      await user.click(await button(/^Copy number/))
      expect(await navigator.clipboard.readText()).toBe('+15555550123')
      await user.click(await button(/^Hide number/))
      expect(screen.queryByText('+1 555 555 0123')).toBeNull()
      expect(document.activeElement).toBe(await button(/^Show number/))
    },
  )

  it('is masked again after a minute', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] })
    const { user } = shown()
    await user.click(await button(/^Show number/))
    await screen.findByText('+1 555 555 0123')
    await act(() => vi.advanceTimersByTimeAsync(59_000))
    expect(screen.queryByText('+1 555 555 0123')).not.toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(2_000))
    expect(screen.queryByText('+1 555 555 0123')).toBeNull()
  })

  it('stays masked, with the reason, when the gateway does not give it', async () => {
    const { user, world } = shown('list')
    world.failures.set('showJobNumber', 'offline')
    await user.click(await button(/^Show number/))
    await screen.findByText('Failed to show the number: The gateway did not answer.')
    await button(/^Show number/)
  })
})
