import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addTrailCopies } from '../../demo/records/fake-logs.ts'
import { emptyWorld } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { LogsScreen } from './logs.tsx'

const show = (world = emptyWorld()) => renderScreen(<LogsScreen />, { world, at: { place: 'tools/logs' } })

describe('the copies of the audit trail', () => {
  it('are not spoken of where there are none', async () => {
    show()
    await screen.findByText('No entries yet')
    expect(screen.queryByRole('list', { name: 'Copies of the audit trail' })).toBeNull()
  })

  it('say how far each is, and why one is behind', async () => {
    const world = emptyWorld()
    addTrailCopies(world)
    show(world)
    const list = within(await screen.findByRole('list', { name: 'Copies of the audit trail' }))
    list.getByText(/^Up to date/)
    list.getByText('The last attempt failed. Retrying. 4 entries waiting. The endpoint answered 503.')
  })

  it('say that the database lacks what was copied', async () => {
    const world = emptyWorld()
    addTrailCopies(world)
    const [copy] = world.trailCopies ?? []
    if (copy) Object.assign(copy, { state: 'cut', cut_at: 4711 })
    show(world)
    await screen.findByText(
      /^The audit trail no longer matches this copy: entry 4,711 or a later one was removed or changed/,
    )
  })
})
