import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen.tsx'
import { bootstrapKey, emptyWorld, type World } from '../../demo/world.ts'
import { addKey } from '../../demo/people/fake-keys.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { LoginScreen } from './login.tsx'

function renderLogin({ world = emptyWorld(), reason }: { world?: World; reason?: string } = {}) {
  const onLogIn = vi.fn()
  const shown = renderScreen(<LoginScreen reason={reason} onLogIn={onLogIn} onSignedIn={vi.fn()} />, { world })
  const field = screen.getByLabelText<HTMLInputElement>('API Key')
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Login' })
  return { ...shown, onLogIn, field, button }
}

describe('login', () => {
  it('says what key is needed and that the console is local', () => {
    const { button, field } = renderLogin()
    screen.getByText("Use a key with the 'keys:manage' scope or the bootstrap API_KEY.")
    screen.getByText('Local access only (127.0.0.1)')
    expect(button.disabled).toBe(true)
    expect(field.type).toBe('password')
  })

  it('says whom to ask, in the words of the organization where it has some', async () => {
    const world = emptyWorld()
    addPerson(world, {})
    const { unmount } = renderLogin({ world })
    await screen.findByText('Can’t sign in? Ask your administrator.')
    unmount()
    saveSettings(world, { sign_in_contact: 'the IT desk, extension 4400' })
    renderLogin({ world })
    await screen.findByText('Can’t sign in? Ask the IT desk, extension 4400.')
  })

  it('stays disabled while only blanks are entered', async () => {
    const { user, field, button } = renderLogin()
    await user.type(field, '   ')
    expect(button.disabled).toBe(true)
  })

  it('submits with Enter and hands over the key together with the configuration it was answered', async () => {
    const { user, field, onLogIn, world } = renderLogin()
    await user.type(field, ` ${bootstrapKey}{Enter}`)
    await waitFor(() => expect(onLogIn).toHaveBeenCalledWith(bootstrapKey, world.config))
  })

  it('stays a form for a key under the hands of who types one, when it turns out that people have accounts', async () => {
    const world = emptyWorld()
    addPerson(world, {})
    const { user, field } = renderLogin({ world })
    await user.type(field, 'a key')
    await screen.findByRole('button', { name: 'Sign in with email' })
    expect(screen.getByLabelText<HTMLInputElement>('API Key').value).toBe('a key')
    expect(document.activeElement).toBe(field)
  })

  it('refuses an unknown key, and takes the message back when it is edited', async () => {
    const { user, field, button, onLogIn } = renderLogin()
    await user.type(field, 'wrong')
    await user.click(button)
    await screen.findByText('Invalid API key or insufficient permissions')
    await user.type(field, '!')
    expect(screen.queryByText('Invalid API key or insufficient permissions')).toBeNull()
    expect(onLogIn).not.toHaveBeenCalled()
  })

  it('refuses what no request could carry, instead of blaming the gateway', async () => {
    const { user, field, onLogIn } = renderLogin()
    await user.type(field, `${bootstrapKey}\u200b-{Enter}`)
    await screen.findByText(
      /^Invalid API key or insufficient permissions\. The text contains characters that no key has/,
    )
    await user.clear(field)
    await user.type(field, `${bootstrapKey}{Enter}`)
    await waitFor(() => expect(onLogIn).toHaveBeenCalled())
  })

  it('refuses a good key that may not administer', async () => {
    const world = emptyWorld()
    const { token } = addKey(world, { scopes: ['fax:send'] })
    const { user, field, onLogIn } = renderLogin({ world })
    await user.type(field, `${token}{Enter}`)
    await screen.findByText('Invalid API key or insufficient permissions')
    expect(onLogIn).not.toHaveBeenCalled()
  })

  it('does not blame the key when the gateway is silent', async () => {
    const world = emptyWorld()
    world.failures.set('getConfig', 'offline')
    const { user, field } = renderLogin({ world })
    await user.type(field, `${bootstrapKey}{Enter}`)
    await screen.findByText('The gateway did not answer.')
    expect(field.getAttribute('aria-invalid')).toBe('false')
  })

  it('passes on how long to wait after too many attempts', async () => {
    const world = emptyWorld()
    const body = { detail: 'Too many failed keys from this address.', code: 'rate_limited', request_id: 'r' }
    world.failures.set('getConfig', { status: 429, statusText: 'Too Many Requests', body })
    const { user, field } = renderLogin({ world })
    await user.type(field, 'guess{Enter}')
    await screen.findByText(/Too many failed keys from this address\./)
    screen.getByText('Wait 60 seconds, then retry.')
  })

  it('says why the person is here again', () => {
    renderLogin({ reason: 'Your key was revoked.' })
    expect(screen.getByRole('alert').textContent).toBe('Your key was revoked.')
  })
})
