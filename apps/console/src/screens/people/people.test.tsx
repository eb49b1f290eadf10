import type { Person } from '@faxdeck/contract'
import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { addKey } from '../../demo/people/fake-keys.ts'
import { addGroup } from '../../demo/people/fake-groups.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { emptyWorld, instantOf, type World } from '../../demo/world.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { PeopleScreen } from './people.tsx'

const at = { place: 'people/people' }
const seen = { last_sign_in_at: '2026-01-05T10:00:00.000Z' }
const show = (world: World, open?: Person) =>
  renderScreen(<PeopleScreen />, { world, at: { ...at, ...(open ? { open: open.id } : {}) } })
const dialog = async (name: string | RegExp) => within(await screen.findByRole('dialog', { name }))

describe('people', () => {
  it('says what people are for and that keys keep working, when there is nobody', async () => {
    const { user } = show(emptyWorld())
    await screen.findByText(/API keys keep working\.$/)
    await user.click(screen.getByRole('button', { name: 'Invite the first person' }))
    await dialog('Invite a person')
  })

  it('invites somebody, and shows the link once with how long it works', async () => {
    const world = emptyWorld()
    const { user } = show(world)
    await user.click(await screen.findByRole('button', { name: 'Invite' }))
    const form = await dialog('Invite a person')
    await user.type(form.getByLabelText('Name'), ' Jane Doe ')
    await user.type(form.getByLabelText('Email'), 'jane@clinic.example')
    await user.selectOptions(form.getByLabelText('Role'), 'Sender')
    form.getByText('Sends faxes, and sees only those.')
    await user.click(form.getByRole('button', { name: 'Invite' }))
    const link = await dialog('Sign-in link for Jane Doe')
    link.getByText(/#invitation=[\w-]{43}$/)
    expect(link.getByText(/It works once, until/).textContent).not.toContain('Earlier links')
    link.getByText(/opens on this computer only, because you opened the console as localhost/)
    await user.click(link.getByRole('button', { name: 'Done' }))
    expect(document.body.textContent).not.toContain('#invitation=')
    await screen.findByRole('row', { name: /Jane Doe.*jane@clinic\.example.*Sender.*Invited.*Bootstrap key/ })
    expect(world.people).toMatchObject([{ name: 'Jane Doe', role: 'sender', state: 'invited' }])
  })

  it('finds people by what they are called and by their role', async () => {
    const world = emptyWorld()
    addPerson(world, { name: 'Jane Doe', ...seen })
    addPerson(world, { name: 'Ivan Petrov', role: 'auditor', ...seen })
    const { user } = show(world)
    const search = await screen.findByLabelText('Search name, email, role or group')
    await user.type(search, 'audit ivan')
    expect(screen.getAllByRole('row')).toHaveLength(2)
    await user.type(search, ' nobody')
    await screen.findByText('No people found')
    await user.click(screen.getByRole('button', { name: 'Clear search' }))
    expect(screen.getAllByRole('row')).toHaveLength(3)
  })

  it('corrects a name and an address, and says whose groups are whose', async () => {
    const world = emptyWorld()
    const jane = addPerson(world, { name: 'Jane Do', sessions: 2, ...seen })
    addPerson(world, { name: 'Ivan Petrov', ...seen })
    addGroup(world, { name: 'Cardiology', members: [jane] })
    const { user } = show(world)
    await user.type(await screen.findByLabelText('Search name, email, role or group'), 'cardio')
    expect(screen.getAllByRole('row')).toHaveLength(2)
    await user.click(await screen.findByRole('row', { name: /Jane Do.*Cardiology/ }))
    await user.click((await dialog('Jane Do')).getByRole('button', { name: 'Edit' }))
    const form = await dialog('Edit Jane Do')
    const save = form.getByRole<HTMLButtonElement>('button', { name: 'Save' })
    await user.type(form.getByLabelText('Name'), 'e')
    expect(form.queryByText(/signed out everywhere/)).toBeNull()
    await user.clear(form.getByLabelText('Email'))
    await user.type(form.getByLabelText('Email'), 'ivan.petrov@clinic.example')
    form.getByText(/They are signed out everywhere and sign in with the new address/)
    await user.click(save)
    await form.findByText(/already has an account/)
    await user.type(form.getByLabelText('Email'), '{Home}jane.')
    await user.click(save)
    await screen.findByText('Jane Doe is saved')
    expect(jane).toMatchObject({ name: 'Jane Doe', email: 'jane.ivan.petrov@clinic.example', sessions: 0 })
    ;(await dialog('Jane Doe')).getByText('Cardiology')
  })

  it('names whom a suspended person let in and the keys they made, and ends what is selected', async () => {
    const world = emptyWorld()
    const jane = addPerson(world, { name: 'Jane Doe', role: 'administrator', ...seen })
    addPerson(world, { name: 'Alex', role: 'administrator', ...seen })
    const invited_by = { id: `person:${jane.id}`, name: 'Jane Doe' }
    const newly = addPerson(world, { name: 'Newly Invited', invited_by })
    const long = addPerson(world, {
      name: 'Long Ago',
      invited_by,
      created_at: instantOf(world.now() - 31 * 86_400_000),
    })
    addKey(world, { name: 'Night desk', issued_by: `person:${jane.id}` })
    const { user } = show(world, jane)
    await user.click((await dialog('Jane Doe')).getByRole('button', { name: 'Suspend' }))
    const question = await dialog('Suspend Jane Doe?')
    await question.findByText(/^Jane Doe let in 2 people, directly or through others\./)
    question.getByText(/^Jane Doe created or rotated a key, so they may have that token: Night desk\./)
    question.getByText('Jane Doe set up nothing that could let them back in.')
    await user.click(question.getByRole('checkbox', { name: 'Newly Invited' }))
    await user.click(question.getByRole('checkbox', { name: 'Revoke these too' }))
    await user.click(question.getByRole('button', { name: 'Suspend' }))
    await screen.findByText('Jane Doe is suspended')
    expect([newly.state, long.state, world.keys.length]).toEqual(['suspended', 'active', 0])
    const after = await dialog('Jane Doe')
    await user.click(after.getByRole('button', { name: 'Reinstate' }))
    await user.click((await dialog('Reinstate Jane Doe?')).getByRole('button', { name: 'Reinstate' }))
    await screen.findByText('Jane Doe can sign in again')
    expect(jane.state).toBe('active')
  })

  it('gives another role, and says why the last administrator keeps theirs', async () => {
    const world = emptyWorld()
    const jane = addPerson(world, { name: 'Jane Doe', role: 'administrator', ...seen })
    const { user } = show(world, jane)
    await user.click((await dialog('Jane Doe')).getByRole('button', { name: 'Change role' }))
    const question = await dialog('Change the role of Jane Doe')
    await user.selectOptions(question.getByLabelText('Role'), 'Operator')
    await question.findByText(/set up nothing that could let them back in/)
    await user.click(question.getByRole('button', { name: 'Change role' }))
    await question.findByText(/^This is the only administrator who can sign in\./)
    addPerson(world, { name: 'Alex', role: 'administrator', ...seen })
    await user.click(question.getByRole('button', { name: 'Change role' }))
    await screen.findByText('Jane Doe: Operator')
    expect(jane.role).toBe('operator')
  })

  it('resets the second factors of somebody who lost theirs, of nobody else and not of oneself', async () => {
    const world = emptyWorld()
    const jane = addPerson(world, { name: 'Jane Doe', sessions: 1, second_factor: true, ...seen })
    const { user } = show(world, jane)
    await user.click((await dialog('Jane Doe')).getByRole('button', { name: 'Reset second factors…' }))
    const question = await dialog('Reset the second factors of Jane Doe?')
    question.getByText(/Make sure the request really comes from Jane Doe/)
    await user.click(question.getByRole('button', { name: 'Reset' }))
    await screen.findByText('Jane Doe now signs in with the password alone')
    const after = await dialog('Jane Doe')
    after.getByText('None')
    expect(after.queryByRole('button', { name: 'Reset second factors…' })).toBeNull()
    expect(jane).toMatchObject({ second_factor: false, sessions: 0 })
  })

  it('ends one session and all of them', async () => {
    const world = emptyWorld()
    const jane = addPerson(world, { name: 'Jane Doe', sessions: 3, ...seen })
    const { user } = show(world, jane)
    const person = await dialog('Jane Doe')
    const ends = await person.findAllByRole('button', { name: /^End the session of/ })
    expect(ends).toHaveLength(3)
    if (ends[1]) await user.click(ends[1])
    await expect.poll(() => person.getAllByRole('button', { name: /^End the session of/ })).toHaveLength(2)
    await user.click(person.getByRole('button', { name: 'End all' }))
    await person.findByText('Not signed in anywhere.')
    expect(jane.sessions).toBe(0)
  })
})
