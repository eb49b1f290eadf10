import { screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { addGroup } from '../../demo/people/fake-groups.ts'
import { emptyWorld } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { GroupsScreen } from './groups.tsx'

it('a group sends from one of its numbers, until that is removed', async () => {
  const world = emptyWorld()
  const group = addGroup(world, { name: 'Cardiology', numbers: ['+15555550100', '+15555550101'] })
  const { user } = renderScreen(<GroupsScreen />, { world, at: { place: 'people/groups', open: group.id } })
  const dialog = within(await screen.findByRole('dialog', { name: 'Cardiology' }))
  const from = () => dialog.getByRole<HTMLSelectElement>('combobox', { name: 'Send from' })
  expect(from().value).toBe('')
  await user.selectOptions(from(), '+15555550101')
  await waitFor(() => expect(group.calling_number).toBe('+15555550101'))
  await waitFor(() => expect(from().value).toBe('+15555550101'))
  await user.click(dialog.getByRole('button', { name: 'Remove +15555550101' }))
  await waitFor(() => expect(group.numbers).toEqual(['+15555550100']))
  await waitFor(() => expect(from().value).toBe(''))
  expect(within(from()).getAllByRole('option')).toHaveLength(2)
})
