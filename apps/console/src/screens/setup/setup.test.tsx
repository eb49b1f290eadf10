import { sinchTraits } from '@faxdeck/providers/sinch/traits'
import { act, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, onTestFinished } from 'vitest'
import { renderConsole } from '../../testing/render-console.tsx'
import { renderScreen } from '../../testing/render-screen.tsx'
import { bootstrapKey, emptyWorld, type World } from '../../demo/world.ts'
import { SetupScreen } from './setup.tsx'

const at = { place: 'settings/setup' }
const warning =
  'ENFORCE_PUBLIC_HTTPS is enabled, but PUBLIC_API_URL is not HTTPS. Use an HTTPS URL or disable for non-PHI dev.'

async function open(world: World = emptyWorld()) {
  const shown = renderScreen(<SetupScreen />, { world, at })
  await screen.findByRole('heading', { name: 'Choose Providers' })
  const next = async (times = 1) => {
    for (let step = 0; step < times; step += 1) await shown.user.click(screen.getByRole('button', { name: 'Next' }))
  }
  return { ...shown, next }
}
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })

describe('the steps', () => {
  it('go on and back, with no way back from the first and Finish in place of Next on the last', async () => {
    const { user, next } = await open()
    expect(button('Back').disabled).toBe(true)
    for (const title of ['Configure Credentials', 'Security Settings', 'Apply & Export']) {
      await next()
      expect(document.activeElement).toBe(screen.getByRole('heading', { name: title }))
    }
    expect(screen.queryByRole('button', { name: 'Next' })).toBeNull()
    button('Finish')
    await user.click(button('Back'))
    screen.getByRole('heading', { name: 'Security Settings' })
    const steps = within(screen.getByRole('navigation', { name: 'Steps' }))
    await user.click(steps.getByRole('button', { name: /Choose Providers/ }))
    screen.getByRole('heading', { name: 'Choose Providers' })
  })

  it('end at the dashboard when nothing is left to apply', async () => {
    const { user, next } = await open()
    await next(3)
    await user.click(button('Finish'))
    expect(history.state).toEqual({ place: 'dashboard' })
  })
})

describe('choosing providers', () => {
  it('offers every provider that the gateway has, the recommended one chosen', async () => {
    await open()
    const names = within(screen.getByRole('group', { name: 'Outbound provider' })).getAllByRole('radio')
    expect(names.map((radio) => radio.closest('label')?.textContent)).toEqual([
      'Phaxio (recommended)Cloud service',
      'SinchCloud service',
      'My own SIP trunkA SIP trunk from any carrier. Needs Asterisk installed, which Faxdeck runs',
      'Asterisk (SIP)Your own telephone switchSet up',
      'FreeSWITCHYour own telephone switchSet up',
    ])
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Phaxio/ }).checked).toBe(true)
    const inbound = screen.getByLabelText<HTMLSelectElement>('Inbound provider')
    expect([...inbound.options].map(({ label }) => label)).toEqual([
      'Same as outbound',
      'Phaxio',
      'Sinch',
      'My own SIP trunk',
      'Asterisk (SIP)',
      'FreeSWITCH',
    ])
    expect(inbound.value).toBe('')
  })

  it('says how received faxes are verified, by what the provider can do', async () => {
    const { user } = await open()
    screen.getByText(/Verified by HMAC signature: Phaxio signs/)
    await user.click(screen.getByRole('radio', { name: /Sinch/ }))
    screen.getByText(/Verified by Basic auth/)
    await user.selectOptions(screen.getByLabelText('Inbound provider'), 'sip')
    screen.getByText(/internal secret.*\/_internal\/asterisk\/inbound/)
    await user.selectOptions(screen.getByLabelText('Inbound provider'), '')
    await user.click(screen.getByRole('radio', { name: /FreeSWITCH/ }))
    screen.getByText(/Keep its control port on this machine/)
  })

  it('says that a provider cannot receive', async () => {
    Object.assign(sinchTraits, { supports_inbound: false })
    onTestFinished(() => void Object.assign(sinchTraits, { supports_inbound: true }))
    const { user } = await open()
    await user.click(screen.getByRole('radio', { name: /Sinch/ }))
    screen.getByText(/Sinch can’t deliver received faxes/)
  })

  it('turns receiving on when an inbound provider is selected', async () => {
    const world = emptyWorld()
    world.settings = { environment: { fax_disabled: true }, saved: {} }
    const { user } = await open(world)
    const receives = screen.getByRole<HTMLInputElement>('switch', { name: 'Receive faxes' })
    expect(receives.checked).toBe(false)
    screen.getByText(/^Receiving is not set up/)
    await user.selectOptions(screen.getByLabelText('Inbound provider'), 'sinch')
    expect(receives.checked).toBe(true)
    screen.getByText('Receives the faxes sent to you.')
  })
})

describe('security', () => {
  it('begins as the gateway does: a key needed, HTTPS enforced, no audit file, links for an hour', async () => {
    const { next } = await open()
    await next(2)
    const isOn = (name: string) => screen.getByRole<HTMLInputElement>('switch', { name }).checked
    expect([isOn('Require API key'), isOn('Enforce HTTPS'), isOn('Audit log file')]).toEqual([true, true, false])
    const lifetime = screen.getByLabelText<HTMLInputElement>('Document link (minutes)')
    expect([lifetime.value, lifetime.disabled]).toEqual(['60', true])
  })

  it('warns while a cloud provider would be reached over plain HTTP, and not on this machine', async () => {
    const { user, next } = await open()
    await next()
    const address = screen.getByLabelText('Public API URL')
    expect(screen.queryByText(warning)).toBeNull()
    await user.clear(address)
    await user.type(address, 'http://fax.example.org')
    screen.getByText(warning)
    await next()
    screen.getByText(warning)
    await user.click(screen.getByRole('switch', { name: 'Enforce HTTPS' }))
    expect(screen.queryByText(warning)).toBeNull()
  })
})

describe('what was entered', () => {
  it('survives a look elsewhere, after asking, and is in no storage', async () => {
    const { user } = renderConsole({ key: bootstrapKey })
    await user.click(await screen.findByRole('button', { name: 'Set up a provider' }))
    await screen.findByRole('heading', { name: 'Choose Providers' }, { timeout: 5_000 })
    await user.click(button('Next'))
    await user.type(screen.getByLabelText('Phaxio API secret'), 'a-secret-of-phaxio')
    await user.click(button('Faxdeck: go to the dashboard'))
    await user.click(within(screen.getByRole('dialog', { name: 'Leave setup?' })).getByText('Leave'))
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
    const kept = [localStorage, sessionStorage].map((storage) => Object.entries(storage))
    expect(JSON.stringify([kept, history.state])).not.toContain('a-secret')

    await user.click(button('Set up a provider'))
    await screen.findByRole('heading', { name: 'Configure Credentials' })
    expect(screen.getByLabelText<HTMLInputElement>('Phaxio API secret').value).toBe('a-secret-of-phaxio')
    screen.getByText('One change is not applied yet.')
  })

  it('is asked about before Back leaves', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('radio', { name: /Sinch/ }))
    act(() => history.back())
    await screen.findByRole('dialog', { name: 'Leave setup?' })
    expect(history.state).toEqual(at)
  })
})

describe('the setup, when a call fails', () => {
  it.each([
    ['listProviders', 'Failed to fetch provider traits'],
    ['describeSettings', 'Failed to load settings'],
  ] as const)('says so when %s fails, and begins on Retry', async (call, sentence) => {
    const world = emptyWorld()
    world.failures.set(call, { status: 500, statusText: 'Internal Server Error' })
    const { user } = renderScreen(<SetupScreen />, { world, at })
    const notice = within(await screen.findByRole('alert'))
    notice.getByText(sentence)
    world.failures.clear()
    await user.click(notice.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('heading', { name: 'Choose Providers' })
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})
