import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { catchUp } from '../../demo/lines/fake-line.ts'
import { addGroup } from '../../demo/people/fake-groups.ts'
import { emptyWorld } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { durationInWords, successRate } from '../../ui/words/figures.ts'
import { costInWords } from './figure-words.ts'
import { blankFields, queryOf } from './report-fields.ts'
import { ReportsScreen } from './reports.tsx'

function busyWorld() {
  const world = emptyWorld()
  for (const to of ['+12125550123', '+12125550123', '+4930555000', '+15555550100'])
    addJob(world, to, { pages: 2, key_name: 'Front desk' })
  world.pass(600)
  catchUp(world)
  return world
}
const show = (world = busyWorld()) => renderScreen(<ReportsScreen />, { world, at: { place: 'tools/reports' } })

describe('the reports', () => {
  it('say so when nothing was faxed', async () => {
    show(emptyWorld())
    await screen.findByText('No faxes in this period')
  })

  it('count test faxes while that is switched on, and say so', async () => {
    const { user } = show()
    await user.click(await screen.findByRole('switch', { name: 'Count test faxes' }))
    await screen.findByText(/Test faxes are counted as if they had been sent\.$/)
    await user.click(screen.getByRole('switch', { name: 'Count test faxes' }))
    await waitFor(() => expect(screen.queryByText(/counted as if/)).toBeNull())
  })

  it('say what failed, and go on once it works again', async () => {
    const world = busyWorld()
    world.failures.set('getReport', { status: 500, statusText: 'Internal Server Error' })
    const { user } = show(world)
    await screen.findByText('Failed to fetch the report')
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText('Success rate')
  })

  it('show the figures of the period, the chart in words, and each table', async () => {
    const { user } = show()
    const sent = (await screen.findByText('Sent', { selector: 'dt' })).nextSibling
    expect(sent?.textContent).toBe('4')
    screen.getByRole('img', { name: /^Faxes over time: \d+ delivered/ })
    await user.click(screen.getByRole('button', { name: 'Destinations' }))
    const rows = within(await screen.findByRole('table', { name: 'Destinations' })).getAllByRole('row')
    expect(rows[1]?.textContent).toMatch(/^\+1 2122/)
    await user.click(screen.getByRole('button', { name: 'Causes of failure' }))
    await user.click(screen.getByRole('button', { name: 'Senders' }))
    await screen.findByText('Front desk')
  })

  it('show the figures of yesterday under its date alone', async () => {
    const world = emptyWorld()
    const day = new Date(world.now())
    day.setDate(day.getDate() - 1)
    addJob(world, '+12125550123', {}, day.setHours(12))
    const { user } = show(world)
    await user.selectOptions(await screen.findByLabelText('Period'), 'Yesterday')
    await screen.findByRole('heading', {
      name: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(day),
    })
    expect(screen.getByText('Sent', { selector: 'dt' }).nextSibling?.textContent).toBe('1')
  })

  it('have a table by group only where faxes belong to groups, also for one that was deleted', async () => {
    const world = busyWorld()
    const { unmount } = show(world)
    await screen.findByRole('button', { name: 'Senders' })
    expect(screen.queryByRole('button', { name: 'Groups' })).toBeNull()
    unmount()
    const { id } = addGroup(world, { name: 'Cardiology' })
    for (const [at, group] of [id, '0123456789ab'].entries())
      Object.assign(world.jobs[at]?.job ?? {}, { group_id: group })
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'Groups' }))
    const table = within(await screen.findByRole('table', { name: 'Groups' }))
    for (const name of ['Cardiology', 'Deleted group 0123456789ab', 'No group']) table.getByText(name)
  })

  it('take a price, reckon the cost with it, and remove it after a question', async () => {
    const { user } = show()
    await user.click(await screen.findByRole('button', { name: 'Add price' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Add price' }))
    expect(dialog.getByRole('button', { name: 'Save price' })).toHaveProperty('disabled', true)
    await user.type(dialog.getByLabelText('Per page'), '0,07')
    await user.click(dialog.getByRole('button', { name: 'Save price' }))
    await screen.findByText('0.07 USD per page', { exact: false })
    const cost = screen.getByText('Cost', { selector: 'dt' })
    await waitFor(() => expect(cost.nextSibling?.textContent).not.toBe('—'))
    await user.click(screen.getByRole('button', { name: /^Remove the price of/ }))
    const question = within(await screen.findByRole('dialog', { name: 'Remove this price?' }))
    await user.click(question.getByRole('button', { name: 'Remove price' }))
    await screen.findByText('No prices yet.', { exact: false })
  })
})

describe('the words of figures', () => {
  it('never round a failure away', () => {
    expect(successRate({ delivered: 99_999, failed: 1 })).toBe('99.9%')
    expect(successRate({ delivered: 0, failed: 0 })).toBe('—')
    expect(durationInWords(3725)).toBe('1 h 2 min')
    expect(costInWords([])).toBe('—')
  })

  it('ask for whole days of the viewer', () => {
    const now = new Date(2026, 2, 1, 0, 30)
    const ask = (period: typeof blankFields.period) => queryOf({ ...blankFields, period }, now)
    expect(ask('week')).toMatchObject({ from: '2026-02-23', to: '2026-03-01' })
    expect(ask('last-month')).toMatchObject({ from: '2026-02-01', to: '2026-02-28' })
    expect(ask('year')).toMatchObject({ from: '2025-04-01', to: '2026-03-01' })
    expect(queryOf({ ...blankFields, zone: 'gateway' }, now)).not.toHaveProperty('time_zone')
  })
})
