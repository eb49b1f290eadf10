import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { bootstrapKey, emptyWorld, type World } from '../../demo/world.ts'
import { visit } from '../../session/visit.ts'
import { renderConsole } from '../../testing/render-console.tsx'

const question = () => screen.findByRole('dialog', { name: 'Who sends this fax?' })
const numberField = () => screen.findByLabelText('Destination number')

/** A world that really sends. */
function unnamed(saved = {}) {
  const world = emptyWorld()
  saveSettings(world, { fax_disabled: false, ...saved })
  return world
}

function open(world: World) {
  visit({ place: 'send' })
  const shown = renderConsole({ world, ...(world.signedIn === undefined && { key: bootstrapKey }) })
  const send = async () => {
    await shown.user.type(await numberField(), '5555550123')
    await shown.user.upload(screen.getByLabelText('Document'), new File(['%PDF-1.7\n'], 'letter.pdf'))
    await screen.findByText('2 pages')
    await shown.user.type(await numberField(), '{Enter}')
  }
  return { ...shown, send }
}

describe('a fax that names no sender', () => {
  it('asks for name and number once, and goes out with them', async () => {
    const world = unnamed()
    const { user, send } = open(world)
    await send()
    const dialog = within(await question())
    expect(world.jobs).toHaveLength(0)
    await user.type(dialog.getByLabelText('Name of the sender'), 'Example Clinic')
    await user.type(dialog.getByLabelText('Your fax number'), 'none')
    await user.click(dialog.getByRole('button', { name: 'Save and send' }))
    await dialog.findByText(/^Write a fax number/)
    expect(world.jobs).toHaveLength(0)
    await user.clear(dialog.getByLabelText('Your fax number'))
    await user.type(dialog.getByLabelText('Your fax number'), '+15555550100')
    await user.click(dialog.getByRole('button', { name: 'Save and send' }))
    await waitFor(() => expect(world.jobs).toHaveLength(1))
    expect(world.settings.saved).toMatchObject({ fax_header: 'Example Clinic', fax_header_number: '+15555550100' })
    await send()
    await waitFor(() => expect(world.jobs).toHaveLength(2))
  })

  it('can be sent without, and is not asked about again in this session', async () => {
    const world = unnamed({ fax_header_number: '+15555550100' })
    const { user, send } = open(world)
    await send()
    const dialog = within(await question())
    expect(dialog.queryByLabelText('Your fax number')).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Send without' }))
    await waitFor(() => expect(world.jobs).toHaveLength(1))
    await send()
    await waitFor(() => expect(world.jobs).toHaveLength(2))
  })

  it('tells whoever may not change settings whom to ask', async () => {
    const world = unnamed()
    localStorage.setItem('faxdeck-signed-in', 'yes')
    world.signedIn = addPerson(world, { name: 'Jane Doe' }).id
    const { user, send } = open(world)
    await send()
    const dialog = within(await question())
    dialog.getByText(/Ask your administrator to enter them under Settings, Header line/)
    await user.click(dialog.getByRole('button', { name: 'Send without' }))
    await waitFor(() => expect(world.jobs).toHaveLength(1))
  })

  it('is asked about neither on the test line nor once the sender is named', async () => {
    const { send, world } = open(unnamed({ fax_header: 'Example Clinic' }))
    await send()
    await waitFor(() => expect(world.jobs).toHaveLength(1))
  })
})
