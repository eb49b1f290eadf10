import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderConsole } from '../testing/render-console.tsx'
import { setWide } from '../testing/screen-width.ts'
import { receivedFax } from '../demo/lines/fake-line.ts'
import { bootstrapKey, emptyWorld } from '../demo/world.ts'
import { tabRows } from './navigation.ts'
import { currentVisit, visit } from '../session/visit.ts'

async function open(world = emptyWorld()) {
  const shown = renderConsole({ world, key: bootstrapKey })
  await screen.findByRole('heading', { level: 1 })
  return shown
}
const tab = (name: string) => within(screen.getByRole('navigation', { name: 'Main' })).getByRole('button', { name })

describe('the shell', () => {
  it('shows a tab for every row of the navigation table, and that the console is local', async () => {
    const { world } = await open()
    const tabs = within(screen.getByRole('navigation', { name: 'Main' })).getAllByRole('button')
    expect(tabs.map((each) => each.textContent)).toEqual(
      tabRows({ config: world.config, may: () => true }).map((row) => row.label),
    )
    screen.getByText('LOCAL ONLY')
  })

  it('says in the title of the page how much waits', async () => {
    const world = emptyWorld()
    world.inbound.push(receivedFax(world, {}), receivedFax(world, {}))
    await open(world)
    await waitFor(() => expect(document.title).toBe('(2) Dashboard · Faxdeck'))
  })

  it('goes to a place by its tab, names the page after it and moves the focus there', async () => {
    const { user } = await open()
    const address = location.href
    await user.click(tab('Settings'))
    await screen.findByRole('heading', { name: 'Setup' })
    expect(document.title).toBe('Setup · Faxdeck')
    expect(document.activeElement).toBe(screen.getByRole('main'))
    expect(tab('Settings').getAttribute('aria-current')).toBe('page')
    within(screen.getByRole('navigation', { name: 'Settings' })).getByRole('button', { name: 'Setup', current: 'page' })
    expect(location.href).toBe(address)
    expect(history.state).toEqual({ place: 'settings/setup' })
  })

  it('goes back with the browser', async () => {
    const { user } = await open()
    await user.click(tab('Settings'))
    await screen.findByRole('heading', { name: 'Setup' })
    act(() => history.back())
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 })
  })

  it('leaves the focus at the setting that a person was sent to, also where the settings are known already', async () => {
    await open()
    for (const look of ['first', 'second']) {
      act(() => visit({ place: 'settings/settings', open: 'public_api_url' }))
      await screen.findByRole('heading', { name: 'Settings', level: 1 })
      await waitFor(() => expect(document.activeElement, look).toBe(screen.getByLabelText('Public API URL')))
      act(() => visit({ place: 'dashboard' }))
      await screen.findByRole('heading', { name: 'Dashboard', level: 1 })
    }
  })

  it('keeps the place after a reload', async () => {
    history.replaceState({ place: 'settings/keys', open: 'new' }, '')
    await open()
    await screen.findByRole('dialog', { name: 'Create a key' })
  })

  it('shows the dashboard when the kept place does not exist', async () => {
    history.replaceState({ place: 'nowhere' }, '')
    await open()
    screen.getByRole('heading', { name: 'Dashboard' })
  })

  it('returns to the dashboard by the mark, and opens settings by the gear', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Open settings' }))
    await screen.findByRole('heading', { name: 'Settings' })
    await user.click(screen.getByRole('button', { name: 'Faxdeck: go to the dashboard' }))
    await screen.findByRole('heading', { name: 'Dashboard', level: 1 })
  })

  it('says on every screen that the test line is on, and nothing when it is off', async () => {
    const world = emptyWorld()
    const { user } = await open(world)
    screen.getByText('Test line on: nothing leaves this machine.')
    await user.click(screen.getByRole('button', { name: 'Set up a provider' }))
    expect(history.state).toEqual({ place: 'settings/setup' })
    await user.click(tab('Dashboard'))
    world.config = { ...world.config, test_line: false }
    await user.click(await screen.findByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(screen.queryByText('Test line on: nothing leaves this machine.')).toBeNull())
  })

  it('offers to start sending for real where a provider is ready, and asks before the test line is turned off', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, test_line_bypasses: 'Sinch' }
    const { user } = await open(world)
    screen.getByText(/Test line on\. Sinch is ready\./)
    await user.click(screen.getByRole('button', { name: 'Start sending for real' }))
    const question = within(await screen.findByRole('dialog', { name: 'Send through Sinch?' }))
    expect(world.settings.saved).toEqual({})
    await user.click(question.getByRole('button', { name: 'Start sending' }))
    await waitFor(() => expect(screen.queryByText(/Test line on/)).toBeNull())
    expect(world.settings.saved).toEqual({ fax_disabled: false, outbound_backend: 'sinch' })
  })

  it('says on every screen that the account in use is in test mode, and where to change that', async () => {
    const world = emptyWorld()
    world.config = { ...world.config, test_line: false, test_account: 'Phaxio' }
    const { user } = await open(world)
    screen.getByText('This account is in test mode: Phaxio sends no real fax.')
    await user.click(screen.getByRole('button', { name: 'Enter live credentials' }))
    expect(history.state).toEqual({ place: 'settings/settings' })
    screen.getByText('This account is in test mode: Phaxio sends no real fax.')
  })

  it('says when the gateway falls silent, and stops saying it when it answers again', async () => {
    const { user, world } = await open()
    world.failures.set('getHealthStatus', 'offline').set('getActivity', 'offline').set('getConfig', 'offline')
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await screen.findByText(/Faxdeck isn’t responding\./)
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(screen.queryByText(/Faxdeck isn’t responding\./)).toBeNull())
  })

  it('skips to the content', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Skip to the content' }))
    expect(document.activeElement).toBe(screen.getByRole('main'))
  })

  it('shows the whole tree in a drawer on small screens', async () => {
    setWide(false)
    const { user } = await open()
    expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Menu' }))
    const drawer = screen.getByRole('dialog', { name: 'Faxdeck' })
    await user.click(within(drawer).getByRole('button', { name: 'Keys' }))
    await screen.findByRole('heading', { name: 'API Keys' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('themes', () => {
  const theme = () => document.documentElement.dataset.theme

  it('puts the chosen theme in force and keeps it', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: 'Theme' }))
    await user.click(screen.getByRole('menuitemradio', { name: 'Dark' }))
    expect(theme()).toBe('dark')
    expect(localStorage.getItem('theme-mode')).toBe('dark')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Theme' }))
  })

  it('is chosen by keyboard alone', async () => {
    const { user } = await open()
    screen.getByRole('button', { name: 'Theme' }).focus()
    await user.keyboard('{Enter}')
    expect(document.activeElement?.textContent).toBe('System')
    await user.keyboard('{ArrowUp}{Enter}')
    expect(theme()).toBe('light')
    await user.keyboard('{Enter}{Escape}')
    expect(screen.queryByRole('menu')).toBeNull()
  })
})

describe('the palette', () => {
  it('goes to a place by a few letters', async () => {
    const { user } = await open()
    await user.keyboard('{Control>}k{/Control}')
    const field = await screen.findByRole('combobox', { name: 'Screen, action, setting or fax' })
    expect(document.activeElement).toBe(field)
    await user.type(field, 'set ke{Enter}')
    await screen.findByRole('heading', { name: 'API Keys' })
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('takes what is typed right after its keys, before anything could be fetched', async () => {
    await open()
    fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true })
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Screen, action, setting or fax' }))
  })

  it('runs an action where it belongs', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('button', { name: /Search or jump to…/ }))
    await user.type(await screen.findByRole('combobox'), 'create')
    await user.click(screen.getByRole('option', { name: /Create an API key/ }))
    await screen.findByRole('dialog', { name: 'Create a key' })
  })

  it('walks through what it found with the arrow keys', async () => {
    const { user } = await open()
    await user.keyboard('/')
    await user.type(await screen.findByRole('combobox'), 'theme{ArrowDown}')
    expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/Light theme/)
    await user.keyboard('{ArrowUp}{ArrowUp}{Enter}')
    expect(localStorage.getItem('theme-mode')).toBe('system')
  })

  it('finds faxes by the words on their pages, and opens one with the words marked', async () => {
    const world = emptyWorld()
    world.inbound = [receivedFax(world, { fr: '+442079460958' })]
    const { user } = await open(world)
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'cardiology')
    const option = await screen.findByRole('option', { name: /From …0958, .*cardiology.*Received, page 1/ })
    await user.click(option)
    expect(currentVisit()).toEqual({ place: 'inbound', open: world.inbound[0]?.id, find: 'cardiology' })
    await screen.findByText('“cardiology” is marked on page 1.')
  })

  it('finds a fax by its ID, a setting and a provider, and offers first what was used last', async () => {
    const world = emptyWorld()
    world.inbound = [receivedFax(world, { fr: '+442079460958' })]
    const { user } = await open(world)
    const search = async (typed: string) => {
      await user.keyboard('{Control>}k{/Control}')
      await user.type(await screen.findByRole('combobox'), typed)
    }
    await search(world.inbound[0]?.id.slice(0, 8) ?? '')
    await screen.findByRole('option', { name: /From …0958/ })
    await user.keyboard('{Escape}')
    await search('sinch')
    await screen.findByRole('option', { name: /^SinchProvider/ })
    await user.keyboard('{Escape}')
    await search('allowed host')
    await user.click(await screen.findByRole('option', { name: /Allowed host names/ }))
    expect(currentVisit()).toEqual({ place: 'settings/settings', open: 'allowed_hosts' })
    await user.keyboard('{Control>}k{/Control}')
    const [first] = within(await screen.findByRole('listbox', { name: 'Results' })).getAllByRole('option')
    expect(first?.textContent).toBe('Allowed host namesRecent')
  })

  it('says when nothing fits', async () => {
    const { user } = await open()
    await user.keyboard('{Control>}k{/Control}')
    await user.type(await screen.findByRole('combobox'), 'zebra')
    await screen.findByText('Nothing matches “zebra”.')
  })

  it('lists the keys on ?', async () => {
    const { user } = await open()
    await user.keyboard('?')
    const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
    within(dialog).getByText('Search on this screen')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
