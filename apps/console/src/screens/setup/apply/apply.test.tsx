import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { saveSettings } from '../../../demo/installation/fake-settings.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { emptyWorld, type World } from '../../../demo/world.ts'
import { SetupScreen } from '../setup.tsx'

const at = { place: 'settings/setup' }
const failure = { status: 500, statusText: 'Internal Server Error' }

afterEach(() => {
  vi.unstubAllGlobals()
})

async function openLast(world: World = emptyWorld()) {
  const shown = renderScreen(<SetupScreen />, { world, at })
  await screen.findByRole('heading', { name: 'Choose Providers' })
  const goTo = (step: string) => shown.user.click(screen.getByRole('button', { name: new RegExp(step) }))
  await goTo('Apply & Export')
  return { ...shown, goTo }
}

/** With credentials entered, on the last step. */
async function openEntered(world: World = emptyWorld()) {
  const shown = await openLast(world)
  await shown.goTo('Configure Credentials')
  await shown.user.type(screen.getByLabelText('Phaxio API key'), 'the-api-key')
  await shown.user.type(screen.getByLabelText('Phaxio API secret'), 'the-api-secret')
  await shown.goTo('Apply & Export')
  return shown
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const summary = () =>
  within(screen.getByRole('region', { name: 'What will change' }))
    .queryAllByRole('term')
    .map((term) => term.parentElement?.textContent)

describe('the summary', () => {
  it('says what will change, of secrets only that they do', async () => {
    const { user } = await openEntered()
    await user.click(screen.getByRole('radio', { name: /Send through Phaxio/ }))
    expect(summary()).toEqual(['Test lineon → off', 'Phaxio API keynot set → set', 'Phaxio API secretnot set → set'])
    expect(document.body.textContent).not.toContain('the-api-secret')
    expect(button('Finish').disabled).toBe(true)
  })

  it('says that nothing will when nothing was entered', async () => {
    await openLast()
    screen.getByText('No changes: this is the current configuration.')
    expect(button('Finish').disabled).toBe(false)
  })
})

describe('the sender', () => {
  it('is asked for while the header line lacks it, and applied with the rest', async () => {
    const { user, world } = await openLast()
    const sender = within(screen.getByRole('region', { name: 'Sender' }))
    await user.type(sender.getByLabelText('Header line: sender'), 'Example Clinic')
    await user.type(sender.getByLabelText('Header line: number'), '+15555550100')
    await user.click(button('Apply & Reload'))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Sender' })).toBeNull())
    expect(world.settings.saved).toMatchObject({ fax_header: 'Example Clinic', fax_header_number: '+15555550100' })
  })
})

describe('Apply & Reload', () => {
  it('saves, reloads, validates, says so and leaves for the dashboard with its banner', async () => {
    const { user, world, goTo } = await openEntered()
    await goTo('Choose Providers')
    await user.selectOptions(screen.getByLabelText('Inbound provider'), 'sip')
    await goTo('Security Settings')
    await user.click(screen.getByRole('switch', { name: 'Audit log file' }))
    await goTo('Apply & Export')
    await user.click(screen.getByRole('radio', { name: /Send through Phaxio/ }))
    await user.click(button('Apply & Reload'))
    await screen.findByText('Configuration applied and reloaded')
    expect(history.state).toEqual(at)
    await waitFor(() => expect(history.state).toEqual({ place: 'dashboard', open: 'applied' }), { timeout: 3_000 })
    expect(world.settings.saved).toEqual({
      audit_log_enabled: true,
      fax_disabled: false,
      inbound_backend: 'sip',
      phaxio_api_key: 'the-api-key',
      phaxio_api_secret: 'the-api-secret',
    })
    expect(world.config.test_line).toBe(false)
  })

  it('drops a provider that Set Active chose: what the wizard shows counts', async () => {
    const world = emptyWorld()
    saveSettings(world, { next_outbound_backend: 'sinch' })
    const { user } = await openEntered(world)
    await user.click(button('Apply & Reload'))
    await screen.findByText('Configuration applied and reloaded')
    expect(world.settings.saved).not.toHaveProperty('outbound_backend')
  })

  it('leaves with a notice when the provider did not pass every check', async () => {
    const { user } = await openLast()
    await user.click(button('Apply & Reload'))
    await waitFor(() => expect(history.state).toEqual({ place: 'dashboard', open: 'applied-review' }), {
      timeout: 3_000,
    })
  })

  it('says so when the settings are refused, and keeps what was entered', async () => {
    const world = emptyWorld()
    world.failures.set('updateSettings', failure)
    const { user } = await openEntered(world)
    await user.click(button('Apply & Reload'))
    within(await screen.findByRole('alert')).getByText('Apply failed')
    expect(summary()).toHaveLength(2)
    expect(history.state).toEqual(at)
  })

  it('says what was not carried out after the settings were saved', async () => {
    const world = emptyWorld()
    world.failures.set('validateSettings', failure)
    const { user } = await openEntered(world)
    await user.click(button('Apply & Reload'))
    within(await screen.findByRole('alert')).getByText('Validation failed')
    screen.getByText(/saved and in use, but a later step failed/)
    expect(world.settings.saved).toHaveProperty('phaxio_api_key')
    await waitFor(() => expect(summary()).toEqual([]))
  })

  it('switches both directions to another provider with one name', async () => {
    const world = emptyWorld()
    saveSettings(world, { outbound_backend: 'sinch', inbound_backend: 'sinch' })
    const { user, goTo } = await openLast(world)
    await goTo('Choose Providers')
    await user.click(screen.getByRole('radio', { name: /^Asterisk/ }))
    await user.selectOptions(screen.getByLabelText('Inbound provider'), '')
    await goTo('Apply & Export')
    await user.click(button('Apply & Reload'))
    await waitFor(() => expect(world.settings.saved).toEqual({ backend: 'sip' }))
  })
})

describe('Validate Configuration', () => {
  it('tries every provider in use, by name', async () => {
    const world = emptyWorld()
    saveSettings(world, { inbound_backend: 'sip' })
    const { user } = await openEntered(world)
    await user.click(button('Validate Configuration'))
    await screen.findByText('All checks passed')
    screen.getByRole('list', { name: 'Checks of Phaxio' })
    screen.getByRole('list', { name: 'Checks of Asterisk (SIP)' })
  })

  it('says so when it fails', async () => {
    const world = emptyWorld()
    world.failures.set('validateSettings', failure)
    const { user } = await openLast(world)
    await user.click(button('Validate Configuration'))
    within(await screen.findByRole('alert')).getByText('Validation failed')
  })
})

describe('Generate .env', () => {
  it('holds what is in force and what is entered, to copy and to download as faxdeck.env', async () => {
    const { user } = await openEntered()
    await user.click(button('Generate .env'))
    const file = await screen.findByLabelText('faxdeck.env')
    expect(file.textContent).toContain('FAX_DISABLED=true')
    expect(file.textContent).toContain('# PHAXIO_API_KEY is entered. Include secrets to see it.')
    await user.click(button('Copy faxdeck.env'))
    expect(await navigator.clipboard.readText()).toBe(file.textContent)

    await user.click(screen.getByRole('checkbox', { name: 'Include secrets' }))
    await user.click(button('Generate .env'))
    await waitFor(() => expect(file.textContent).toContain('PHAXIO_API_SECRET=the-api-secret'))
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      expect(this.download).toBe('faxdeck.env')
    })
    await user.click(button('Download'))
    expect(click).toHaveBeenCalledTimes(1)
    click.mockRestore()
  })

  it('says so when the export fails', async () => {
    const world = emptyWorld()
    world.failures.set('exportSettings', failure)
    const { user } = await openLast(world)
    await user.click(button('Generate .env'))
    within(await screen.findByRole('alert')).getByText('Failed to export settings')
  })
})

describe('registering', () => {
  async function openSinch(world = emptyWorld()) {
    saveSettings(world, { backend: 'sinch', fax_disabled: false, public_api_url: 'https://fax.example.org' })
    const shown = await openLast(world)
    await shown.user.click(button('Register with Sinch'))
    return shown
  }

  it('is offered by trait only', async () => {
    await openLast()
    expect(screen.queryByRole('button', { name: /^Register/ })).toBeNull()
  })

  it('says what was registered', async () => {
    await openSinch()
    await screen.findByText('Registered: https://fax.example.org/sinch-inbound')
  })

  it.each([
    [
      { status: 200, statusText: 'OK', body: { success: false, webhook_url: null, error: 'No such service.' } },
      'No such service.',
    ],
    [{ status: 200, statusText: 'OK', body: { success: false, webhook_url: null, error: null } }, 'Unknown error'],
    [
      {
        status: 404,
        statusText: 'Not Found',
        body: { detail: 'There is nothing at this address.', code: 'not_found', request_id: 'r' },
      },
      'There is nothing at this address.',
    ],
    ['offline' as const, 'The gateway did not answer.'],
  ])('says what went wrong (%#)', async (reported, words) => {
    const world = emptyWorld()
    world.failures.set('registerSinchWebhook', reported)
    await openSinch(world)
    await screen.findByText(`Failed: ${words}`)
  })
})

describe('the test page', () => {
  async function ask(world = emptyWorld(), number = '+1 555 555 0123') {
    const shown = await openLast(world)
    await shown.user.type(screen.getByLabelText('Fax number (your own or one you know)'), number)
    await shown.user.click(button('Send test page'))
    return shown
  }

  it('is sent once, after asking, and followed', async () => {
    const { user, world } = await ask()
    const question = within(screen.getByRole('dialog', { name: 'Send a test page to +1 555 555 0123?' }))
    question.getByText(/does not leave this machine/)
    expect(world.jobs).toHaveLength(0)
    await user.dblClick(question.getByRole('button', { name: 'Send' }))
    await screen.findByText('Queued')
    expect(world.jobs).toMatchObject([{ to: '+15555550123', job: { file_name: 'faxdeck_test_page.txt' } }])
  })

  it('says that it is a real call when it is one', async () => {
    const world = emptyWorld()
    saveSettings(world, { fax_disabled: false })
    await ask(world)
    within(screen.getByRole('dialog')).getByText(/a real call through Phaxio\./)
  })

  it('is not sent to what is no number, and says why it was refused', async () => {
    const world = emptyWorld()
    const { user } = await ask(world, '12')
    screen.getByText('Please enter a valid phone number')
    world.failures.set('submitFax', failure)
    await user.type(screen.getByLabelText('Fax number (your own or one you know)'), '34567890')
    await user.click(button('Send test page'))
    await user.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' }))
    within(await screen.findByRole('alert')).getByText('Failed to send fax')
  })
})
