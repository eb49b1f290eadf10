import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import * as download from '../../api/download.ts'
import { addGroup } from '../../demo/people/fake-groups.ts'
import { addDeletion, addHold } from '../../demo/records/fake-retention.ts'
import { emptyWorld, type World } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { RetentionScreen } from './retention.tsx'

const show = (world: World, open?: string) =>
  renderScreen(<RetentionScreen />, { world, at: { place: 'tools/retention', ...(open ? { open } : {}) } })
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

describe('retention', () => {
  it('says what a hold does when there is none, and places one on a number', async () => {
    const world = emptyWorld()
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'Place a hold' }))
    const form = await dialog('Place a legal hold')
    await user.type(form.getByLabelText('Number'), ' +15555550123 ')
    expect(form.getByRole('button', { name: 'Place hold' })).toHaveProperty('disabled', true)
    await user.type(form.getByLabelText('Reason'), 'Case 2026-117')
    await user.click(form.getByRole('button', { name: 'Place hold' }))
    await screen.findByRole('row', { name: /Number \+15555550123.*Case 2026-117.*Bootstrap key.*Active/ })
    expect(world.care?.holds).toMatchObject([{ kind: 'number', subject: '+15555550123' }])
  })

  it('lifts a hold after saying what that means, and shows it on demand then', async () => {
    const world = emptyWorld()
    const hold = addHold(world, { kind: 'number', subject: '+15555550123', reason: 'Case 7' })
    const { user } = show(world, hold.id)
    await user.click((await dialog('Hold on number +15555550123')).getByRole('button', { name: 'Lift hold…' }))
    const question = await dialog('Lift the hold on number +15555550123?')
    question.getByText(/deleted within the hour and can’t be recovered\.$/)
    await user.type(question.getByLabelText('Reason'), 'Closed')
    await user.click(question.getByRole('button', { name: 'Lift hold' }))
    await screen.findByText('No active holds')
    await user.click(screen.getByLabelText('Show lifted holds'))
    await screen.findByRole('row', { name: /Lifted/ })
    expect(hold.lift_reason).toBe('Closed')
  })

  it('gives a group a rule, and overwrites nothing that somebody else saved meanwhile', async () => {
    const world = emptyWorld()
    const { id } = addGroup(world, { name: 'Cardiology' })
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'Rules' }))
    await user.click(await screen.findByRole('button', { name: 'Add rule' }))
    const form = await dialog('Add a rule')
    await form.findByRole('option', { name: 'Cardiology' })
    await user.selectOptions(form.getByLabelText('Group'), 'Cardiology')
    await user.type(form.getByLabelText('Keep sent documents (days)'), '1.5')
    form.getByText(/^Enter a whole number of days/)
    await user.clear(form.getByLabelText('Keep sent documents (days)'))
    await user.type(form.getByLabelText('Keep received documents (days)'), '3650')
    await user.click(form.getByRole('button', { name: 'Save' }))
    await screen.findByText('Sent: general rule, received: 3,650 days')
    await user.click(screen.getByRole('button', { name: 'Change the rule for Cardiology' }))
    const rules = [{ direction: 'received', group_id: id, days: 7 } as const]
    if (world.care) world.care.rules = rules
    const change = await dialog('Rule for Cardiology')
    await user.type(change.getByLabelText('Keep sent documents (days)'), '0')
    await user.click(change.getByRole('button', { name: 'Save' }))
    await change.findByText(/^Somebody has changed the retention rules/)
    expect(world.care?.rules).toEqual(rules)
  })

  it('lists what was deleted and by which rule', async () => {
    const world = emptyWorld()
    const { id } = addGroup(world, { name: 'Cardiology' })
    world.config.organization = 'Example Clinic'
    const whose = { number: '********0123', group_name: 'Cardiology', sent_by: 'Nurse Kim' }
    addDeletion(world, { reason: 'retention', days: 5, rule_group: id, pages: 2, ...whose })
    addDeletion(world, { reason: 'refused', direction: 'sent' })
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'Deletions' }))
    await screen.findByRole('row', { name: /Received …0123 Cardiology, Nurse Kim 2 After 5 days, rule for Cardiology/ })
    await screen.findByRole('row', { name: /Sent — — — Approval was refused/ })
    const print = vi.spyOn(window, 'print').mockReturnValue(undefined)
    await user.click(screen.getByRole('button', { name: 'Print' }))
    await expect.poll(() => print.mock.calls.length).toBe(1)
    const sheet = document.querySelector('[data-printed-list]')
    expect(sheet?.querySelectorAll('tbody tr')).toHaveLength(2)
    expect(sheet?.textContent).toContain('Example Clinic. Deleted documents, Last 30 days: 2. Printed')
    print.mockRestore()
  })

  it('downloads an audit report of a person by name, as a PDF or a table', async () => {
    const world = emptyWorld()
    const { user } = show(world)
    const save = vi.spyOn(download, 'saveFile').mockReturnValue(undefined)
    await user.click(await screen.findByRole('button', { name: 'Audit report' }))
    const form = await dialog('Audit report')
    await user.selectOptions(form.getByLabelText('About'), 'A person')
    await user.type(form.getByLabelText('Name or ID'), 'Nurse Kim')
    await user.selectOptions(form.getByLabelText('Format'), 'CSV, for a spreadsheet')
    await user.click(form.getByRole('button', { name: 'Download report' }))
    await expect.poll(() => save.mock.calls[0]?.[1]).toMatch(/^audit-report_person_\d{4}-\d\d-\d\d\.csv$/)
    expect(world.events.at(-1)).toMatchObject({ event: 'report_made', kind: 'person' })
    save.mockRestore()
  })
})
