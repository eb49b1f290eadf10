import type { Job } from '@faxdeck/contract'
import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addJob } from '../../../demo/faxes/fake-jobs.ts'
import { catchUp } from '../../../demo/lines/fake-line.ts'
import { details, press, show, worldWith } from '../testing/job-screen.tsx'

describe('a failed fax that was sent again', () => {
  /** A fax that was not answered, and the one sent from it. */
  function twice(child: Partial<Job>) {
    const { world, job } = worldWith('+15555550101')
    catchUp(world)
    const again = addJob(world, '+15555550123', { parent_id: job.id, test: false, ...child })
    again.steps = []
    return { world, job, again: again.job }
  }
  const remedy = /Then send it again/

  it.each([
    ['delivered', { status: 'SUCCESS' }, /^Sent again: delivered \d\d:\d\d$/],
    ['on its way', { status: 'in_progress' }, /^Sent again: on its way$/],
  ] as const)('says that the new one is %s, leads to it, and no longer asks for another', async (_, child, words) => {
    const { world, job, again } = twice(child)
    const { user } = show(world, job.id)
    const link = await screen.findByRole('button', { name: words })
    expect(screen.queryByText(remedy)).toBeNull()
    expect(screen.getByRole('button', { name: 'Send again' }).dataset.tone).toBe('plain')
    await user.click(link)
    await details(again.id)
  })

  it('says so where the new one failed as well, and what to do', async () => {
    const { world, job } = twice({ status: 'FAILED', error: 'Busy.' })
    show(world, job.id)
    await screen.findByRole('button', { name: /^Sent again: failed/ })
    await screen.findByText(remedy)
  })

  it.each([
    [
      'it was delivered',
      { status: 'SUCCESS' },
      /^This document was delivered to this number at \d\d:\d\d\. Send another copy\?$/,
    ],
    ['it is under way', { status: 'in_progress' }, /^This document was already sent again .* Send another copy\?$/],
  ] as const)('goes out once more only after a question: %s', async (_, child, words) => {
    const { world, job } = twice(child)
    const { user } = show(world, job.id)
    await press(user, 'Send again')
    const question = await screen.findByRole('dialog', { name: 'Send this fax again?' })
    within(question).getByText(words)
    expect(world.jobs).toHaveLength(2)
    await user.click(within(question).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(world.jobs).toHaveLength(3))
  })

  it('is asked about also where somebody else sent it in the meantime', async () => {
    const { world, job } = worldWith('+15555550101')
    const { user } = show(world, job.id)
    const button = await screen.findByRole('button', { name: 'Send again' })
    addJob(world, '+15555550123', { parent_id: job.id, test: false, status: 'SUCCESS' }).steps = []
    await user.click(button)
    const question = await screen.findByRole('dialog', { name: 'Send this fax again?' })
    within(question).getByText(/^This document was delivered to this number/)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(within(question).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(world.jobs).toHaveLength(3))
  })

  it('is dialed again at a number that is not in service only after a question', async () => {
    const { world, job } = worldWith('+15555550102')
    const { user } = show(world, job.id)
    await press(user, 'Send again')
    const question = await screen.findByRole('dialog', { name: 'Send this fax again?' })
    within(question).getByText('This number is not in service. Dial it again?')
    expect(world.jobs).toHaveLength(1)
    await user.click(within(question).getByRole('button', { name: 'Send again' }))
    await waitFor(() => expect(world.jobs).toHaveLength(2))
  })
})
