import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addEvent } from '../../../demo/records/fake-logs.ts'
import { catchUp } from '../../../demo/lines/fake-line.ts'
import { addWebhook } from '../../../demo/installation/fake-webhooks.ts'
import { emptyWorld, type World } from '../../../demo/world.ts'
import { currentVisit } from '../../../session/visit.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { setWide } from '../../../testing/screen-width.ts'
import { KeysScreen } from '../keys.tsx'

const place = 'settings/keys'
const press = (name: string | RegExp) => screen.findByRole('button', { name })

/** Something that webhooks are told of, and the first try to report them. */
function report(world: World, count = 1, event = 'job_failed') {
  for (let n = 0; n < count; n += 1) {
    addEvent(world, event, { job_id: world.nextId(), backend: 'testline', error: 'Nobody answered.' })
    world.pass(1)
  }
  catchUp(world)
}

function worldWith(...hook: Parameters<typeof addWebhook> extends [World, ...infer Rest] ? Rest : never) {
  const world = emptyWorld()
  return { world, hook: addWebhook(world, ...hook) }
}

function openWebhook({ world, hook }: ReturnType<typeof worldWith>) {
  return { ...renderScreen(<KeysScreen />, { world, at: { place, open: `webhook:${hook.webhook.id}` } }), hook }
}

describe('webhooks', () => {
  it('are explained when there are none, and added with the secret shown once', async () => {
    const { user, world } = renderScreen(<KeysScreen />, { at: { place } })
    await screen.findByText('No webhooks yet')
    await user.click(await press('Add webhook'))
    const dialog = screen.getByRole('dialog', { name: 'Add a webhook' })
    const save = within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Add' })
    const address = within(dialog).getByLabelText('Address (URL)')
    expect(save.disabled).toBe(true)
    await user.type(address, 'hooks.example.com')
    within(dialog).getByText(/Enter a full address/)
    await user.clear(address)
    await user.type(address, ' https://hooks.example.com/in ')
    for (const event of ['fax.delivered', 'fax.failed', 'fax.uncertain'])
      await user.click(within(dialog).getByRole('checkbox', { name: event }))
    within(dialog).getByText('Choose at least one event.')
    expect(save.disabled).toBe(true)
    await user.click(within(dialog).getByRole('checkbox', { name: 'inbound.received' }))
    await user.selectOptions(within(dialog).getByLabelText('Contents of received faxes'), 'link')
    within(dialog).getByText(/works for an hour without a key/)
    await user.dblClick(save)

    const once = await screen.findByRole('dialog', { name: 'The secret of hooks.example.com' })
    expect(world.webhooks).toHaveLength(1)
    const [hook] = world.webhooks
    expect(hook?.webhook).toMatchObject({ url: 'https://hooks.example.com/in', events: ['inbound.received'] })
    expect(hook?.webhook.inbound_content).toBe('link')
    await user.click(within(once).getByRole('button', { name: 'Copy secret' }))
    expect(await navigator.clipboard.readText()).toBe(hook?.secret)
    await user.click(within(once).getByRole('button', { name: 'Done' }))
    expect(document.body.textContent).not.toContain(hook?.secret)
    await screen.findByRole('row', { name: /hooks\.example\.com/ })
  })

  it('say what the gateway has against an address, and keep what was entered', async () => {
    const { user, world } = renderScreen(<KeysScreen />, { at: { place, open: 'new-webhook' } })
    await user.type(await screen.findByLabelText('Address (URL)'), 'http://intranet/hook')
    await user.click(await press('Add'))
    within(await screen.findByRole('alert')).getByText(/WEBHOOK_ALLOWED_CIDRS\. \(API Error/)
    expect(screen.getByLabelText<HTMLInputElement>('Address (URL)').value).toBe('http://intranet/hook')
    expect(world.webhooks).toEqual([])
  })

  it('are listed with their state, events and last delivery', async () => {
    const { world } = worldWith({ description: 'Patient records' })
    addWebhook(world, { url: 'https://b.example/', enabled: false })
    addWebhook(world, { url: 'https://c.example/', events: ['fax.failed'] }, 410)
    report(world)
    renderScreen(<KeysScreen />, { world, at: { place } })
    const row = async (name: RegExp) => within(await screen.findByRole('row', { name }))
    const first = await row(/Patient records/)
    for (const text of ['Active', 'fax.delivered, fax.failed', 'Delivered', 'hooks.example.com/faxdeck'])
      first.getByText(text)
    for (const text of ['Paused', 'Nothing sent yet']) (await row(/b\.example/)).getByText(text)
    for (const text of ['Stopped', 'Failed']) (await row(/c\.example/)).getByText(text)
  })

  it('stand as cards where there is no room for a table, and open from there', async () => {
    setWide(false)
    const { world, hook } = worldWith()
    const { user } = renderScreen(<KeysScreen />, { world, at: { place } })
    const list = within(await screen.findByRole('list', { name: 'Webhooks' }))
    await user.click(list.getByRole('button', { name: 'Open webhook hooks.example.com' }))
    await screen.findByRole('heading', { name: 'hooks.example.com', level: 1 })
    expect(currentVisit()).toEqual({ place, open: `webhook:${hook.webhook.id}` })
    await user.click(await press('All keys and webhooks'))
    await screen.findByRole('heading', { name: 'API Keys', level: 1 })
    expect(document.activeElement).toBe(await press('Open webhook hooks.example.com'))
  })
})

describe('one webhook', () => {
  it('is edited', async () => {
    const { user, hook } = openWebhook(worldWith())
    await user.click(await press('Edit'))
    await user.type(screen.getByLabelText('Description (optional)'), 'Billing')
    await user.click(screen.getByRole('checkbox', { name: 'fax.delivered' }))
    await user.click(await press('Save'))
    await screen.findByRole('heading', { name: 'Billing', level: 1 })
    expect(hook.webhook).toMatchObject({ description: 'Billing', events: ['fax.failed'] })
    screen.getByText('Webhook saved')
  })

  it('is paused after asking, cannot be tested then, and resumed', async () => {
    const { user, hook } = openWebhook(worldWith())
    await user.click(await press('Pause'))
    screen.getByText(/Deliveries it misses, including those that fail/)
    expect(hook.webhook.enabled).toBe(true)
    await user.click(screen.getAllByRole('button', { name: 'Pause' }).at(-1) as HTMLElement)
    await screen.findByText('Paused')
    expect(screen.queryByRole('button', { name: 'Send a test' })).toBeNull()
    await user.click(await press('Resume'))
    await screen.findByText('Active')
    expect(hook.webhook.enabled).toBe(true)
  })

  it('says why its receiver ended it', async () => {
    const opened = worldWith({ events: ['fax.failed'] }, 410)
    report(opened.world)
    openWebhook(opened)
    await screen.findByText(
      /The endpoint answered 410 \(gone\), so no more deliveries are sent\. Its endpoint receives nothing/,
    )
    screen.getByText('Stopped')
  })

  it('gets a new secret, with the overlap explained and shown', async () => {
    const { user, hook } = openWebhook(worldWith())
    const before = hook.secret
    await user.click(await press('Rotate secret'))
    screen.getByText(/each delivery is signed with both/)
    await user.selectOptions(screen.getByLabelText(/How long the current secret/), '7 days')
    await user.click(await press('Rotate'))
    const once = await screen.findByRole('dialog', { name: 'The new secret of hooks.example.com' })
    expect(hook.secret).not.toBe(before)
    within(once).getByText(hook.secret)
    await user.click(within(once).getByRole('button', { name: 'Done' }))
    await screen.findByText(/Two: the previous one is valid until/)
    const days = (Date.parse(hook.webhook.previous_secret_until ?? '') - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(7)
    await user.click(await press('Rotate secret'))
    screen.getByText(/An earlier secret is still valid until/)
  })

  it('is removed after asking, and the list is shown', async () => {
    const { user, world } = openWebhook(worldWith())
    await user.click(await press('Remove'))
    await user.keyboard('{Escape}')
    expect(world.webhooks).toHaveLength(1)
    await user.click(await press('Remove'))
    await user.click(screen.getAllByRole('button', { name: 'Remove' }).at(-1) as HTMLElement)
    await screen.findByText('No webhooks yet')
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Webhooks' }))
    expect(world.webhooks).toEqual([])
    expect(currentVisit()).toEqual({ place })
  })

  it('that was removed elsewhere says so', async () => {
    const { user } = renderScreen(<KeysScreen />, { at: { place, open: `webhook:${'0'.repeat(32)}` } })
    await screen.findByText('This webhook was removed')
    await user.click(await press('All keys and webhooks'))
    await screen.findByRole('heading', { name: 'API Keys' })
  })
})

describe('the deliveries of a webhook', () => {
  it('differ by time, event, attempts, answer and error', async () => {
    const opened = worldWith({}, 503)
    report(opened.world)
    opened.world.pass(7)
    openWebhook(opened)
    const row = within(await screen.findByRole('row', { name: /fax\.failed/ }))
    for (const text of ['Retrying', '2', '503', 'The endpoint answered 503.']) row.getByText(text)
    expect(row.queryByRole('button', { name: /Replay/ })).toBeNull()
  })

  it('show each attempt with its answer, the newest first', async () => {
    const opened = worldWith({}, 503)
    report(opened.world)
    opened.world.pass(7)
    const { user } = openWebhook(opened)
    await user.click(await press(/^Open fax\.failed/))
    const dialog = within(screen.getByRole('dialog', { name: 'fax.failed' }))
    const attempts = await dialog.findByRole('region', { name: 'Attempts, newest first' })
    const rows = within(attempts).getAllByRole('listitem')
    expect(rows).toHaveLength(2)
    for (const row of rows) within(row).getByText('HTTP 503')
    expect(rows[0]?.textContent).toContain('upstream not available')
    rows.forEach((row, index) => within(row).getByText(`${[160, 120][index]} ms`))
  })

  it('warn while every attempt fails', async () => {
    const opened = worldWith({}, 503)
    report(opened.world)
    openWebhook(opened)
    await screen.findByText(/Every attempt has failed since/)
  })

  it('show the payload without a number, and the way to the fax', async () => {
    const opened = worldWith()
    report(opened.world)
    const { user, hook } = openWebhook(opened)
    const [message] = hook.messages
    await user.click(await press(/^Open fax\.failed/))
    const dialog = within(screen.getByRole('dialog', { name: 'fax.failed' }))
    dialog.getByText(/"error": "Nobody answered\."/)
    dialog.getByText(message?.id ?? '')
    await user.click(dialog.getByRole('button', { name: 'Open the fax' }))
    expect(currentVisit()).toEqual({ place: 'jobs', open: message?.subject_id })
  })

  it('begin with a test, whose outcome is shown as it comes', async () => {
    const { user, world, hook } = openWebhook(worldWith({}, null))
    await screen.findByText('Nothing sent yet')
    await user.selectOptions(screen.getByLabelText('Show'), 'Failed')
    await screen.findByText('No matching deliveries')
    await user.click(await press('Send a test'))
    const dialog = within(await screen.findByRole('dialog', { name: 'webhook.test' }))
    dialog.getByText('In progress')
    expect(dialog.queryByRole('button', { name: 'Open the fax' })).toBeNull()
    world.pass(2)
    await dialog.findByText('No response within 15 seconds.')
    expect(hook.messages).toHaveLength(1)
    await user.click(await dialog.findByRole('button', { name: 'Replay' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    screen.getByText('Replaying')
    expect(hook.messages[0]).toMatchObject({ state: 'pending', tries: 0 })
  })

  it('are found by their state, page by page, and replayed from the list', async () => {
    const opened = worldWith()
    const { world, hook } = opened
    report(world, 60)
    hook.answers = 410
    report(world)
    Object.assign(hook.webhook, { enabled: true, disabled_reason: null })
    hook.answers = 204
    const { user } = openWebhook(opened)
    await screen.findByText('Showing 50')
    await user.click(await press('Load more'))
    await screen.findByText('Showing 61')
    await user.selectOptions(screen.getByLabelText('Show'), 'Failed')
    await screen.findByText('Showing 1')
    await user.click(await press(/^Replay fax\.failed/))
    await screen.findByText('No matching deliveries')
    await user.selectOptions(screen.getByLabelText('Show'), 'In progress')
    await screen.findByText('Showing 1')
  })

  it('are replayed since a time, those that were not delivered or all of them', async () => {
    const opened = worldWith()
    const { world, hook } = opened
    report(world, 3)
    hook.answers = 410
    report(world)
    Object.assign(hook.webhook, { enabled: true, disabled_reason: null })
    hook.answers = 204
    const { user } = openWebhook(opened)
    const ask = async () => {
      await user.click(await press('Replay…'))
      return within(screen.getByRole('dialog', { name: 'Replay deliveries of hooks.example.com?' }))
    }
    const first = await ask()
    const since = first.getByLabelText<HTMLInputElement>('Since')
    await user.clear(since)
    first.getByText('Enter a date and a time.')
    expect(first.getByRole<HTMLButtonElement>('button', { name: 'Replay' }).disabled).toBe(true)
    fireEvent.change(since, { target: { value: '2999-01-01T00:00' } })
    first.getByText('Enter a time in the past.')
    fireEvent.change(since, { target: { value: '2000-01-01T00:00' } })
    await user.click(first.getByRole('button', { name: 'Replay' }))
    await screen.findByText('Replaying 1 delivery')
    expect(hook.messages.filter(({ state }) => state === 'pending')).toHaveLength(1)

    world.pass(1)
    catchUp(world)
    const second = await ask()
    fireEvent.change(second.getByLabelText('Since'), { target: { value: '2000-01-01T00:00' } })
    await user.selectOptions(second.getByLabelText('Deliveries'), 'All, including delivered')
    await user.click(second.getByRole('button', { name: 'Replay' }))
    await screen.findByText('Replaying 4 deliveries')
  })

  it('cannot be replayed while the webhook is paused', async () => {
    const opened = worldWith()
    report(opened.world)
    opened.hook.webhook.enabled = false
    const { user } = openWebhook(opened)
    await user.click(await press(/^Open fax\.failed/))
    screen.getByText('Resume the webhook to replay its deliveries.')
    expect(screen.queryByRole('button', { name: /^Replay/ })).toBeNull()
  })
})
