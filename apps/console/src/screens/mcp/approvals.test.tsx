import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addApproval } from '../../demo/faxes/fake-approvals.ts'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { emptyWorld, type World } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { McpScreen } from './mcp.tsx'

function open(world: World) {
  return renderScreen(<McpScreen />, { world, at: { place: 'settings/mcp' } })
}
const findList = async () => within(await screen.findByRole('region', { name: 'Waiting for approval' }))

describe('what assistants ask for', () => {
  it('stands there with number, pages, who asked and what it is, oldest first', async () => {
    const world = emptyWorld()
    addApproval(world, { to: '+15555550123', pages: 2 })
    world.pass(1)
    addApproval(world, { to: '+15555550199', faxed_before: 0, pages: 1, asked_by: 'bootstrap', asked_by_name: null })
    open(world)
    const list = await findList()
    const [first, second] = (await list.findAllByRole('listitem')).map((item) => within(item))
    first?.getByText('+1 555 555 0123')
    first?.getByText('2 pages', { exact: false })
    first?.getByText('referral-letter.pdf')
    first?.getByText('Front desk assistant')
    first?.getByRole('button', { name: 'Open Page 1 of 2' })
    expect(first?.queryByText('First fax to this number')).toBeNull()
    second?.getByText('First fax to this number')
    second?.getByText('the bootstrap key')
  })

  it('is sent with one press, once however often it is pressed', async () => {
    const world = emptyWorld()
    addApproval(world)
    addApproval(world, { to: '+15555550199' })
    const { user } = open(world)
    const button = await screen.findByRole('button', { name: 'Approve and send the fax to +1 555 555 0123' })
    await user.dblClick(button)
    const outcome = await screen.findByText('The fax is being sent.')
    expect(document.activeElement).toBe(outcome)
    expect(world.jobs).toHaveLength(1)
    expect(world.approvals.map(({ state }) => state)).toEqual(['approved', 'waiting'])
    await user.click(screen.getByRole('button', { name: 'Show the fax' }))
    expect(history.state).toEqual({ place: 'jobs', open: world.approvals[0]?.job_id })
  })

  it('is refused with one press, and nothing is sent', async () => {
    const world = emptyWorld()
    addApproval(world)
    saveSettings(world, { require_mcp_approval: true })
    const { user } = open(world)
    await user.click(await screen.findByRole('button', { name: 'Refuse the fax to +1 555 555 0123' }))
    await screen.findByText(/^Nothing was sent\./)
    expect(world.approvals).toMatchObject([{ state: 'refused' }])
    expect(world.jobs).toEqual([])
  })

  it('keeps its place once decided, so that nothing slips under the pointer', async () => {
    const world = emptyWorld()
    for (const to of ['+15555550121', '+15555550122', '+15555550123']) {
      addApproval(world, { to })
      world.pass(1)
    }
    const { user } = open(world)
    const list = await findList()
    const order = () => list.getAllByText(/^\+1 555 555/).map((number) => number.textContent)
    await user.click(await screen.findByRole('button', { name: 'Refuse the fax to +1 555 555 0121' }))
    await screen.findByText(/^Nothing was sent\./)
    await user.click(screen.getByRole('button', { name: 'Approve and send the fax to +1 555 555 0122' }))
    await screen.findByText('The fax is being sent.')
    expect(order()).toEqual(['+1 555 555 0121', '+1 555 555 0122', '+1 555 555 0123'])
    screen.getByRole('button', { name: 'Approve and send the fax to +1 555 555 0123' })
  })

  it('says what stood in the way when somebody else was faster', async () => {
    const world = emptyWorld()
    const waiting = addApproval(world)
    const { user } = open(world)
    const button = await screen.findByRole('button', { name: /^Approve/ })
    waiting.state = 'refused'
    await user.click(button)
    within(await screen.findByRole('alert')).getByText(/It was refused already\./)
    expect(world.jobs).toEqual([])
  })

  it('has no place where nothing is waiting and no approval is needed', async () => {
    open(emptyWorld())
    await screen.findByRole('switch', { name: 'Require approval' })
    expect(screen.queryByRole('region', { name: 'Waiting for approval' })).toBeNull()
  })
})

describe('recent decisions', () => {
  const decisions = [
    {
      to: '+15555550121',
      state: 'approved',
      decided_by: 'bootstrap',
      decided_at: '2026-11-20T09:00:00.000Z',
      job_id: 'a'.repeat(32),
    },
    {
      to: '+15555550122',
      state: 'refused',
      decided_by: 'b'.repeat(12),
      decided_by_name: 'Dr. Alvarez',
      decided_at: '2026-11-20T10:00:00.000Z',
    },
    { to: '+15555550123', state: 'expired', decided_at: '2026-11-19T09:00:00.000Z' },
  ] as const
  const rows = async () =>
    within(await screen.findByRole('table', { name: 'Recent decisions' }))
      .getAllByRole('row')
      .slice(1)

  it('is listed, the last decision first, with who decided and what came of it', async () => {
    const world = emptyWorld()
    for (const decision of decisions) addApproval(world, decision)
    const { user } = open(world)
    const [refused, approved, expired] = (await rows()).map((row) => within(row))
    for (const text of ['+1 555 555 0122', 'Refused', 'Dr. Alvarez']) refused?.getByText(text)
    for (const text of ['+1 555 555 0121', 'Approved', 'the bootstrap key']) approved?.getByText(text)
    for (const text of ['+1 555 555 0123', 'Expired']) expired?.getByText(text)
    expect(refused?.queryByRole('button')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Show the fax to +1 555 555 0121' }))
    expect(history.state).toEqual({ place: 'jobs', open: 'a'.repeat(32) })
  })

  it('is remembered as soon as it is decided', async () => {
    const world = emptyWorld()
    addApproval(world)
    const { user } = open(world)
    await user.click(await screen.findByRole('button', { name: 'Refuse the fax to +1 555 555 0123' }))
    const [refused] = await rows()
    expect(refused?.textContent).toContain('Refused')
  })

  it('does not stand in the way when it is much', async () => {
    const world = emptyWorld()
    for (let count = 0; count < 7; count += 1) addApproval(world, decisions[1])
    const { user } = open(world)
    expect(await rows()).toHaveLength(5)
    await user.click(screen.getByRole('button', { name: 'Show the last 7' }))
    expect(await rows()).toHaveLength(7)
  })

  it('says when it cannot be fetched', async () => {
    const world = emptyWorld()
    world.failures.set('listApprovals', { status: 500, statusText: 'Internal Server Error' })
    open(world)
    await screen.findByText('Failed to fetch recent decisions')
  })
})

it('lets a person ask for a quote and for approval before an assistant sends', async () => {
  const world = emptyWorld()
  const { user } = open(world)
  const rules = within(await screen.findByRole('region', { name: 'Before an assistant sends' }))
  await user.click(rules.getByRole('switch', { name: 'Require a quote' }))
  await user.click(rules.getByRole('switch', { name: 'Require approval' }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  await screen.findByText('MCP settings applied')
  expect(world.settings.saved).toEqual({ require_mcp_quote: true, require_mcp_approval: true })
  await (await findList()).findByText(/Nothing is waiting/)
})
