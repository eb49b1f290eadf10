import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { keepKey, readKey } from '../../api/key.ts'
import { addGroup } from '../../demo/people/fake-groups.ts'
import { addKey } from '../../demo/people/fake-keys.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { setWide } from '../../testing/screen-width.ts'
import { emptyWorld } from '../../demo/world.ts'
import { KeysScreen } from './keys.tsx'

const at = { place: 'settings/keys' }

async function openCreate(world = emptyWorld()) {
  const shown = renderScreen(<KeysScreen />, { world, at })
  await shown.user.click(await screen.findByRole('button', { name: 'Create Key' }))
  return { ...shown, dialog: screen.getByRole('dialog', { name: 'Create a key' }) }
}

describe('API keys', () => {
  it('offers to create the first key when there is none', async () => {
    const { user } = renderScreen(<KeysScreen />, { at })
    await user.click(await screen.findByRole('button', { name: 'Create Your First Key' }))
    screen.getByRole('dialog', { name: 'Create a key' })
  })

  it('shows what every key is, and never its token', async () => {
    const world = emptyWorld()
    const lastUsed = { last_used_at: '2026-01-05T10:00:00.000Z', expires_at: '2026-02-01T00:00:00.000Z' }
    const key = addKey(world, { name: 'Front desk', owner: 'Dr. Alvarez', ...lastUsed })
    renderScreen(<KeysScreen />, { world, at })
    const row = await screen.findByRole('row', { name: /Front desk/ })
    for (const text of [key.key_id, 'Dr. Alvarez', 'Send, Read sent', 'Expired']) within(row).getByText(text)
    expect(document.body.textContent).not.toContain(key.token)
  })

  it('creates a key and shows its token once, until Done is pressed', async () => {
    const { user, world, dialog } = await openCreate()
    await user.type(within(dialog).getByLabelText('Key Name'), '  Front desk ')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))

    const once = await screen.findByRole('dialog', { name: 'The key “Front desk”' })
    const [made] = world.keys
    expect(made).toMatchObject({ name: 'Front desk', owner: null, scopes: ['fax:send', 'fax:read'], expires_at: null })
    within(once).getByText(made?.token ?? 'no token')
    await user.click(within(once).getByRole('button', { name: 'Copy Key' }))
    expect(await navigator.clipboard.readText()).toBe(made?.token)
    within(once).getByText('Text copied')

    await user.click(within(once).getByRole('button', { name: 'Done' }))
    expect(screen.queryByText(made?.token ?? '')).toBeNull()
    await screen.findByRole('row', { name: /Front desk/ })
  })

  it('limits a key to the received faxes of some groups and numbers, and shows that in the list', async () => {
    const world = emptyWorld()
    const group = addGroup(world, { name: 'Cardiology' })
    const { user, dialog } = await openCreate(world)
    const tick = async (name: RegExp) => user.click(await within(dialog).findByRole('checkbox', { name }))
    expect(within(dialog).queryByRole('checkbox', { name: /^Only received/ })).toBeNull()
    await tick(/^inbound:list/)
    await tick(/^Only received/)
    within(dialog).getByText(/^Choose a group or enter a number/)
    await tick(/^Cardiology/)
    expect(within(dialog).queryByRole('checkbox', { name: /^May delete/ })).toBeNull()
    await tick(/^inbound:read/)
    await tick(/^May delete received faxes/)
    await user.type(within(dialog).getByLabelText('Numbers called'), '+15555550101, +15555550102')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    await user.click(await screen.findByRole('button', { name: 'Done' }))
    expect(world.keys[0]?.received_only).toEqual({ groups: [group.id], numbers: ['+15555550101', '+15555550102'] })
    expect(world.keys[0]?.received_delete).toBe(true)
    await screen.findByText('Deletes received faxes')
    const shown = await screen.findByText('1 group, 2 numbers')
    expect(shown.title).toContain('Cardiology, +15555550101')
  })

  it('takes scopes as a list typed by hand, by ticking, and refuses unknown ones', async () => {
    const { user, world, dialog } = await openCreate()
    const field = within(dialog).getByLabelText<HTMLInputElement>('Permissions (Scopes)')
    expect(field.value).toBe('fax:send,fax:read')
    await user.clear(field)
    await user.type(field, ' fax:read ,, inbound:list,')
    await user.click(within(dialog).getByRole('checkbox', { name: 'keys:manage' }))
    await user.click(within(dialog).getByRole('checkbox', { name: 'fax:read' }))
    expect(field.value).toBe('inbound:list,keys:manage')
    await user.type(field, ',fax:sned')
    within(dialog).getByText(/Unknown scope: fax:sned\./)
    expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Create' }).disabled).toBe(true)
    await user.type(field, '{Backspace>9/}')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    await screen.findByRole('dialog', { name: 'The new key' })
    expect(world.keys[0]?.scopes).toEqual(['inbound:list', 'keys:manage'])
  })

  it('lets a person choose which faxes a key sees, its own unless it administers', async () => {
    const { user, world, dialog } = await openCreate()
    const choice = within(dialog).getByLabelText<HTMLSelectElement>('Faxes it can see')
    expect(choice.value).toBe('own')
    await user.click(within(dialog).getByRole('checkbox', { name: 'keys:manage' }))
    expect([choice.value, choice.disabled]).toEqual(['all', true])
    await user.click(within(dialog).getByRole('checkbox', { name: 'keys:manage' }))
    expect([choice.value, choice.disabled]).toEqual(['own', false])
    const inbound = within(dialog).getByRole('checkbox', { name: 'inbound:list' })
    await user.click(inbound)
    within(dialog).getByText(/^This key sees no received faxes, so its inbound scopes have no effect/)
    await user.click(inbound)
    await user.selectOptions(choice, 'All faxes')
    within(dialog).getByText(/every fax, with full numbers/)
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    await screen.findByRole('dialog', { name: 'The new key' })
    expect(world.keys[0]).toMatchObject({ fax_access: 'all' })
    await user.click(screen.getByRole('button', { name: 'Done' }))
    within(await screen.findByRole('row', { name: /Unnamed/ })).getByText('All')
  })

  it('gives a key an end when a day is chosen', async () => {
    const { user, world, dialog } = await openCreate()
    await user.type(within(dialog).getByLabelText('Expires on (optional)'), '2031-05-31')
    await user.click(within(dialog).getByRole('button', { name: 'Create' }))
    await screen.findByRole('dialog', { name: 'The new key' })
    expect(world.keys[0]?.expires_at).toBe(new Date('2031-05-31T23:59:59').toISOString())
  })

  it('makes one key however fast Create is pressed', async () => {
    const { user, world, dialog } = await openCreate()
    await user.dblClick(within(dialog).getByRole('button', { name: 'Create' }))
    await screen.findByRole('dialog', { name: 'The new key' })
    expect(world.keys).toHaveLength(1)
  })

  it('rotates a key after asking, and shows the new token', async () => {
    const world = emptyWorld()
    const key = addKey(world, { name: 'Billing' })
    const { token } = key
    const { user } = renderScreen(<KeysScreen />, { world, at })
    await user.click(await screen.findByRole('button', { name: 'Rotate Billing' }))
    const question = screen.getByRole('dialog', { name: 'Rotate the key “Billing”?' })
    expect(key.token).toBe(token)
    await user.click(within(question).getByRole('button', { name: 'Rotate' }))
    const once = await screen.findByRole('dialog', { name: 'The key “Billing”' })
    expect(key.token).not.toBe(token)
    within(once).getByText(key.token)
  })

  it('goes on with the new token when the console’s own key is rotated', async () => {
    const world = emptyWorld()
    const key = addKey(world, { name: 'Mine', scopes: ['keys:manage'] })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    keepKey(key.token)
    await user.click(await screen.findByRole('button', { name: 'Rotate Mine' }))
    await user.click(screen.getByRole('button', { name: 'Rotate' }))
    await screen.findByRole('dialog', { name: 'The key “Mine”' })
    expect(readKey()).toBe(key.token)
  })

  it('revokes a key after asking, and gives the focus back', async () => {
    const world = emptyWorld()
    addKey(world, { name: 'Stays' })
    addKey(world, { name: 'Goes' })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    const revoke = await screen.findByRole('button', { name: 'Revoke Goes' })
    await user.click(revoke)
    await user.keyboard('{Escape}')
    expect(document.activeElement).toBe(revoke)
    expect(world.keys).toHaveLength(2)
    await user.click(revoke)
    await user.click(screen.getByRole('button', { name: 'Revoke' }))
    await waitFor(() => expect(screen.queryByRole('row', { name: /Goes/ })).toBeNull())
    screen.getByText('Key revoked')
    expect(world.keys.map((key) => key.name)).toEqual(['Stays'])
  })

  it('names the keys that were created with a key, and revokes them too when asked', async () => {
    const world = emptyWorld()
    addKey(world, { name: 'Stays' })
    const goes = addKey(world, { name: 'Goes', scopes: ['keys:manage'] })
    addKey(world, { name: 'Its own', issued_by: goes.key_id })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    await user.click(await screen.findByRole('button', { name: 'Revoke Goes' }))
    const dialog = within(screen.getByRole('dialog'))
    await dialog.findByText(/This key created or rotated another key.*: Its own\./)
    dialog.getByText(/Nothing set up with this key could let its holder back in/)
    await user.click(dialog.getByRole('checkbox', { name: 'Revoke these too' }))
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('Keys revoked')
    expect(world.keys.map((key) => key.name)).toEqual(['Stays'])
  })

  it('shows whom a key let in, with what and by whom, and suspends those who are selected with their keys', async () => {
    const world = emptyWorld()
    const goes = addKey(world, { name: 'Goes', scopes: ['keys:manage'] })
    const invited_by = { id: goes.key_id, name: 'Goes' }
    const anna = addPerson(world, { name: 'Anna', role: 'administrator', invited_by })
    const ben = addPerson(world, { name: 'Ben', role: 'sender', invited_by: { id: `person:${anna.id}`, name: 'Anna' } })
    addPerson(world, { name: 'Stays' })
    addKey(world, { name: 'Night desk', issued_by: `person:${anna.id}` })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    await user.click(await screen.findByRole('button', { name: 'Revoke Goes' }))
    const dialog = within(screen.getByRole('dialog'))
    const people = within(
      await dialog.findByRole('group', { name: /This key let in 2 people, directly or through others/ }),
    )
    people.getByText(/Administrator, anna@clinic\.example\. Invited as Administrator just now\.$/)
    people.getByText(/Sender, ben@clinic\.example\. Invited as Sender just now by Anna\.$/)
    expect(people.queryByText('Stays')).toBeNull()
    dialog.getByText('Keys that stay with the people who created them: Night desk.')
    expect(dialog.queryByRole('radio')).toBeNull()
    await user.click(people.getByRole('checkbox', { name: 'Anna' }))
    await user.click(await dialog.findByRole('checkbox', { name: 'Revoke these too' }))
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('Keys revoked. People suspended: 1')
    expect([anna.state, ben.state, world.keys.length]).toEqual(['suspended', 'active', 0])
  })

  it('makes all whom a key let in Senders instead', async () => {
    const world = emptyWorld()
    const goes = addKey(world, { name: 'Goes', scopes: ['keys:manage'] })
    const invited_by = { id: goes.key_id, name: 'Goes' }
    const people = ['Anna', 'Ben'].map((name) => addPerson(world, { name, role: 'administrator', invited_by }))
    const { user } = renderScreen(<KeysScreen />, { world, at })
    await user.click(await screen.findByRole('button', { name: 'Revoke Goes' }))
    const dialog = within(screen.getByRole('dialog'))
    await user.click(await dialog.findByRole('checkbox', { name: 'Select all' }))
    dialog.getByText(/they can’t sign in/)
    await user.click(dialog.getByRole('radio', { name: 'Make Sender' }))
    dialog.getByText(/can only send faxes and see their own/)
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('Key revoked. People made Senders: 2')
    expect(people.map(({ role, state }) => [role, state])).toEqual([
      ['sender', 'active'],
      ['sender', 'active'],
    ])
  })

  it('says before what is taken back with a key, and after how much', async () => {
    const world = emptyWorld()
    const manages = { scopes: ['keys:manage'] as const }
    const oauth = { key: 'oauth_issuer', label: 'OAuth issuer' }
    const goes = addKey(world, {
      name: 'Goes',
      scopes: [...manages.scopes],
      leaves: {
        settings: [oauth],
        plugins: [{ id: 'acme-fax' }],
        webhooks: [{ id: 'w', url: 'https://hook.example/' }],
      },
    })
    const host = { key: 'allowed_hosts', label: 'Allowed host names' }
    addKey(world, { name: 'Its own', issued_by: goes.key_id, leaves: { settings: [host], plugins: [], webhooks: [] } })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    await user.click(await screen.findByRole('button', { name: 'Revoke Goes' }))
    const dialog = within(screen.getByRole('dialog'))
    await dialog.findByText(/Settings reset.*: OAuth issuer$/)
    dialog.getByText(/Plugins removed.*: acme-fax/)
    dialog.getByText(/Webhooks paused: https:\/\/hook\.example\//)
    await user.click(dialog.getByRole('checkbox', { name: 'Revoke these too' }))
    await dialog.findByText(/Settings reset.*: OAuth issuer, Allowed host names/)
    await user.click(dialog.getByRole('button', { name: 'Revoke' }))
    await screen.findByText('Keys revoked. Settings undone: 2')
  })

  it('shows the keys as cards where there is no room for a table', async () => {
    setWide(false)
    const world = emptyWorld()
    addKey(world, { name: 'Front desk' })
    renderScreen(<KeysScreen />, { world, at })
    const list = await screen.findByRole('list', { name: 'API keys' })
    within(list).getByText('Front desk')
    within(list).getByRole('button', { name: 'Revoke Front desk' })
    expect(screen.queryByRole('table')).toBeNull()
  })
})

describe('API keys, when a call fails', () => {
  it('says what failed and why, and loads the keys on Retry', async () => {
    const world = emptyWorld()
    addKey(world, { name: 'Front desk' })
    world.failures.set('listApiKeys', { status: 500, statusText: 'Internal Server Error' })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    const notice = await screen.findByRole('alert')
    within(notice).getByText('Failed to fetch API keys')
    within(notice).getByText('API Error: 500 Internal Server Error')
    world.failures.clear()
    await user.click(within(notice).getByRole('button', { name: 'Retry' }))
    await screen.findByRole('row', { name: /Front desk/ })
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it.each([
    ['createApiKey', 'Create Key', 'Create', 'Failed to create API key'],
    ['rotateApiKey', 'Rotate Billing', 'Rotate', 'Failed to rotate API key'],
    ['revokeApiKey', 'Revoke Billing', 'Revoke', 'Failed to revoke API key'],
  ] as const)('keeps the dialog of %s open with the sentence and the reason', async (call, open, confirm, sentence) => {
    const world = emptyWorld()
    addKey(world, { name: 'Billing' })
    const body = { detail: 'Some fields are not valid.', code: 'invalid', request_id: 'req-1', fields: [] }
    world.failures.set(call, { status: 422, statusText: 'Unprocessable Content', body })
    const { user } = renderScreen(<KeysScreen />, { world, at })
    await screen.findByRole('row', { name: /Billing/ })
    await user.click(screen.getByRole('button', { name: open }))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: confirm }))
    const notice = await within(screen.getByRole('dialog')).findByRole('alert')
    within(notice).getByText(sentence)
    within(notice).getByText('Some fields are not valid. (API Error: 422 Unprocessable Content)')
  })

  it('says when the gateway does not answer', async () => {
    const world = emptyWorld()
    world.failures.set('listApiKeys', 'offline')
    renderScreen(<KeysScreen />, { world, at })
    const notice = await screen.findByRole('alert')
    within(notice).getByText('The gateway did not answer.')
  })
})
