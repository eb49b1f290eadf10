import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addJob } from '../demo/faxes/fake-jobs.ts'
import { emptyWorld } from '../demo/world.ts'
import { renderScreen } from '../testing/render-screen.tsx'
import { FaxHoldMenu, FaxHolds } from './fax-holds.tsx'

describe('a fax that is held', () => {
  it('says who keeps it since when and why, and can be held by its number', async () => {
    const world = emptyWorld()
    const { job } = addJob(world, '+15555550123')
    const { user } = renderScreen(
      <>
        <FaxHoldMenu id={job.id} number={job.to_number} groupId={null} />
        <FaxHolds id={job.id} />
      </>,
      { world },
    )
    await user.click(await screen.findByRole('button', { name: 'More actions' }))
    await user.click(screen.getByRole('menuitem', { name: 'Keep from deletion (legal hold)…' }))
    const form = within(await screen.findByRole('dialog', { name: 'Place a legal hold' }))
    await user.selectOptions(form.getByLabelText('Applies to'), 'Every fax with …0123')
    await user.type(form.getByLabelText('Reason'), 'Case 7')
    await user.click(form.getByRole('button', { name: 'Place hold' }))
    const holds = within(await screen.findByRole('list', { name: 'Legal holds' }))
    holds.getByText(/Case 7/)
    holds.getByText(/placed by the bootstrap key/)
    expect(world.care?.holds).toMatchObject([{ kind: 'number', subject: '+15555550123' }])
  })
})
