import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { addPerson } from '../demo/people/fake-people.ts'
import { bootstrapKey, emptyWorld } from '../demo/world.ts'
import { renderConsole } from '../testing/render-console.tsx'

const offline = 'The gateway did not answer.'
const password = 'four words and a comma'

function worldWith(fields: Parameters<typeof addPerson>[1] = {}) {
  const world = emptyWorld()
  return { world, person: addPerson(world, fields) }
}

/** The console of a person who has signed in. */
async function inside(role: 'administrator' | 'operator' | 'sender' | 'auditor', idleSeconds?: number) {
  const { world, person } = worldWith({ role })
  if (idleSeconds !== undefined) world.idleSeconds = idleSeconds
  const shown = renderConsole({ world })
  await shown.user.type(await screen.findByLabelText('Email'), person.email)
  await shown.user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
  await screen.findByRole('navigation', { name: 'Main' })
  return { ...shown, person }
}

const stored = (storage: Storage) => Object.fromEntries(Object.entries(storage))
const tabs = () => {
  const main = screen.getByRole('navigation', { name: 'Main' })
  return [...main.querySelectorAll('button')].map((each) => each.textContent)
}
const alerts = () =>
  screen
    .queryAllByRole('alert')
    .map(({ textContent }) => textContent)
    .join(' ')

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', location.pathname)
})

describe('signing in with email', () => {
  it('is offered where people have accounts, and leaves no secret in the browser’s storage', async () => {
    const { person } = await inside('operator')
    await screen.findByText(person.name)
    const kept = Object.entries(stored(localStorage)).filter(([name]) => !name.startsWith('faxdeck:preference:'))
    expect(kept).toEqual([['faxdeck-signed-in', 'yes']])
    expect(JSON.stringify([stored(localStorage), stored(sessionStorage)])).not.toContain(password)
  })

  it('tells somebody that their second factors were reset, until they dismiss it', async () => {
    const { world, person } = worldWith({ role: 'operator' })
    world.factors.resetAt = '2026-01-05T10:00:00.000Z'
    const { user } = renderConsole({ world })
    await user.type(await screen.findByLabelText('Email'), person.email)
    await user.type(screen.getByLabelText('Password'), `${password}{Enter}`)
    await screen.findByText(/^An administrator reset your second factors on/)
    world.failures.set('acknowledgeReset', 'offline')
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(alerts()).toContain('Failed to dismiss the notice'))
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Dismiss' }))
    await waitFor(() => expect(screen.queryByText(/^An administrator reset/)).toBeNull())
    expect(world.factors.resetAt).toBeNull()
  })

  it('says that address or password is wrong, and stays where it is', async () => {
    const { world, person } = worldWith()
    const { user } = renderConsole({ world })
    await user.type(await screen.findByLabelText('Email'), person.email)
    await user.type(screen.getByLabelText('Password'), 'wrong{Enter}')
    await screen.findByText('The email address or the password is wrong.')
    world.failures.set('signIn', 'offline')
    await user.type(screen.getByLabelText('Password'), 'x{Enter}')
    await waitFor(() => expect(alerts()).toContain(offline))
  })

  it('leaves the way of the API key open, which is the only one where nobody has an account', async () => {
    const { world } = worldWith()
    const { user, unmount } = renderConsole({ world })
    await user.click(await screen.findByRole('button', { name: 'Use an API key' }))
    await user.type(screen.getByLabelText('API Key'), `${bootstrapKey}{Enter}`)
    await screen.findByRole('navigation', { name: 'Main' })
    unmount()
    localStorage.clear()
    renderConsole()
    await screen.findByLabelText('API Key')
    expect(screen.queryByRole('button', { name: 'Sign in with email' })).toBeNull()
  })

  it('works with a key also when it cannot be asked whether people have accounts', async () => {
    const world = emptyWorld()
    world.failures.set('getSignIn', 'offline')
    const { user } = renderConsole({ world })
    await user.type(await screen.findByLabelText('API Key'), `${bootstrapKey}{Enter}`)
    await screen.findByRole('navigation', { name: 'Main' })
  })
})

describe('a person at the console', () => {
  it('sees the places of their role and no others', async () => {
    await inside('sender')
    expect(tabs()).toEqual(['Send', 'Jobs'])
  })

  it('is shown reports, deletions and the audit trail alone as an auditor', async () => {
    const { user } = await inside('auditor')
    expect(tabs()).toEqual(['Tools'])
    await screen.findByRole('heading', { name: 'Reports' })
    await user.click(screen.getByRole('button', { name: 'Retention' }))
    await screen.findByRole('button', { name: 'Download CSV' })
    expect(screen.queryByRole('button', { name: 'Place a legal hold' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Logs' }))
    await screen.findByRole('heading', { name: 'Logs' })
  })

  it('is told when their session has ended, and comes back to the same place', async () => {
    const { world, user } = await inside('sender')
    world.signedIn = undefined
    await user.click(screen.getByRole('button', { name: 'Jobs' }))
    await waitFor(() => expect(alerts()).toContain('Your session has ended. Sign in to continue where you were.'))
    await screen.findByLabelText('Email')
    expect(stored(localStorage)).toEqual({ 'faxdeck-signed-in': 'no' })
  })

  it('signs out, also when the gateway does not answer', async () => {
    const { world, user } = await inside('operator')
    world.failures.set('signOut', 'offline')
    await user.click(screen.getByRole('button', { name: 'Log out' }))
    await screen.findByLabelText('Email')
    expect(stored(localStorage)).toMatchObject({ 'faxdeck-signed-in': 'no' })
  })

  it('is told when their account cannot be read', async () => {
    const { world, person } = worldWith()
    world.signedIn = person.id
    world.failures.set('getAccount', 'offline')
    localStorage.setItem('faxdeck-signed-in', 'yes')
    const { user } = renderConsole({ world })
    await waitFor(() => expect(alerts()).toContain(offline))
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByRole('navigation', { name: 'Main' })
  })

  it('takes back what it says of its presence when it signs out, which would be refused afterwards', async () => {
    const { user } = await inside('operator')
    const answer = fetch
    const stays: (AbortSignal | null | undefined)[] = []
    vi.stubGlobal('fetch', (address: string, init: RequestInit = {}) => {
      if (!address.endsWith('/account/stay')) return answer(address, init)
      stays.push(init.signal)
      return new Promise(() => undefined)
    })
    await user.click(screen.getByRole('button', { name: 'Log out' }))
    await screen.findByLabelText('Email')
    expect(stays.map((signal) => signal?.aborted)).toEqual([true])
  })

  it('is warned in the last minute, and stays signed in at the press of a button', async () => {
    const { world, user } = await inside('operator', 45)
    await screen.findByText(/You will be signed out in 4\d seconds\./)
    await user.click(screen.getByRole('button', { name: 'Stay signed in' }))
    await waitFor(() => expect(screen.queryByText('Are you still there?')).toBeNull())
    expect(world.idleSeconds).toBeUndefined()
  })
})

describe('an invitation link', () => {
  const open = (world = emptyWorld()) => {
    history.replaceState(null, '', '#invitation=abc123')
    return renderConsole({ world })
  }

  it('lets its person choose a password, signs them in and leaves the address bar', async () => {
    const { world, person } = worldWith({ state: 'invited' })
    const { user } = open(world)
    await screen.findByText(`Welcome, ${person.name}. Choose a password for`, { exact: false })
    world.failures.set('acceptInvitation', 'offline')
    await user.type(screen.getByLabelText('New password'), `${password}{Enter}`)
    await waitFor(() => expect(alerts()).toContain(offline))
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Save password and sign in' }))
    await screen.findByRole('navigation', { name: 'Main' })
    expect(location.hash).toBe('')
  })

  it('that was used says so, and leads to the login', async () => {
    const { user } = open()
    await waitFor(() => expect(alerts()).toContain('This link is wrong, was used or has expired.'))
    await user.click(screen.getByRole('button', { name: 'Go to login' }))
    await screen.findByLabelText('API Key')
  })
})

describe('single sign-on', () => {
  const back = (search: string) => history.replaceState(null, '', `${location.pathname}${search}`)

  it('stands beside the other ways in, by its own name', async () => {
    const { world } = worldWith()
    world.singleSignOn = { label: 'Clinic account' }
    renderConsole({ world })
    await screen.findByRole('button', { name: 'Sign in with Clinic account' })
    screen.getByLabelText('Email')
  })

  it('signs in with what the provider sent back, and takes it out of the address at once', async () => {
    const { world, person } = worldWith()
    back('?code=a-code&state=a-state')
    renderConsole({ world })
    expect(location.search).toBe('')
    await screen.findByRole('navigation', { name: 'Main' })
    await screen.findByText(person.name)
    expect(JSON.stringify([stored(sessionStorage), stored(localStorage)])).not.toContain('a-code')
  })

  it('says why it was refused, and leads to the login', async () => {
    const { world } = worldWith()
    back('?error=access_denied&state=a-state')
    const { user } = renderConsole({ world })
    await screen.findByText(/^The sign-in was canceled at the provider\./)
    await user.click(screen.getByRole('button', { name: 'Go to login' }))
    await screen.findByLabelText('Email')
  })
})
