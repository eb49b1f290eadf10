import { type RouteName, routes } from '@faxdeck/contract'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { addPasskey } from '../../demo/people/fake-factors.ts'
import { addPerson } from '../../demo/people/fake-people.ts'
import { emptyWorld, instantOf, type World } from '../../demo/world.ts'
import { Confirmations } from '../../session/confirm/confirmations.tsx'
import { renderScreen } from '../../testing/render-screen.tsx'
import { AccountScreen, PasswordDialog } from './account.tsx'

const press = (name: string | RegExp) => async (user: UserEvent) =>
  user.click(await screen.findByRole('button', { name }))
const withApp = (world: World) => {
  world.factors.totp = instantOf(world.now())
  world.factors.codes = 10
}
const typeCode = (code: string) => async (user: UserEvent) =>
  user.type(await screen.findByLabelText('2. Enter the code the app shows'), code)

const rename = async (user: UserEvent) => {
  const name = await screen.findByLabelText('Name')
  await user.clear(name)
  await user.type(name, ' Blue key {Enter}')
}

function open(prepare: (world: World) => void = () => undefined) {
  const world = emptyWorld()
  world.signedIn = addPerson(world, { sessions: 2 }).id
  prepare(world)
  return renderScreen(
    <>
      <AccountScreen />
      <Confirmations />
    </>,
    { world },
  )
}

describe('the account', () => {
  it('sets up an authenticator app with a QR code, a key in text and a code, and shows recovery codes once', async () => {
    const { user, world } = open()
    await press('Set up')(user)
    const code = await screen.findByRole('img', { name: 'QR code for your authenticator app' })
    expect(code.querySelector('path')?.getAttribute('d')).toContain('h1v1h-1z')
    screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')
    await typeCode('000000')(user)
    await press('Turn on')(user)
    await screen.findByText(/^The code is wrong/)
    expect(world.factors.totp).toBeNull()
    await user.clear(screen.getByLabelText('2. Enter the code the app shows'))
    await typeCode('123456')(user)
    await press('Turn on')(user)
    await screen.findByRole('dialog', { name: 'Recovery codes' })
    expect(screen.getAllByText(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)).toHaveLength(10)
    await press('I’ve saved them')(user)
    await screen.findByText(/^10 of 10 left\./)
  })

  it('asks who somebody is before it changes how they sign in, and then goes on', async () => {
    const { user, world } = open((each) => {
      withApp(each)
      each.factors.confirmed = false
    })
    await press('Remove authenticator app')(user)
    await press('Remove')(user)
    await user.type(await screen.findByLabelText('Your password'), 'wrong')
    await user.type(screen.getByLabelText('Code'), '000000{Enter}')
    await screen.findByText('The current password is wrong.')
    await user.clear(screen.getByLabelText('Your password'))
    await user.type(screen.getByLabelText('Your password'), 'four words and a comma{Enter}')
    await screen.findByText(/^The code is wrong/)
    expect(world.factors.totp).not.toBeNull()
    await user.clear(screen.getByLabelText('Code'))
    await user.type(screen.getByLabelText('Code'), '123456{Enter}')
    await waitFor(() => expect(world.factors.totp).toBeNull())
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('changes nothing when somebody does not confirm, and says no failure', async () => {
    const { user, world } = open((each) => {
      withApp(each)
      each.factors.confirmed = false
    })
    await press('Make new codes')(user)
    await screen.findByLabelText('Your password')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(world.factors.codes).toBe(10)
    await press('Make new codes')(user)
    await screen.findByLabelText('Your password')
  })

  it('warns of few recovery codes, and lists passkeys', async () => {
    open((world) => {
      addPasskey(world, { name: 'Blue key', host: 'fax.clinic.lan' })
      world.factors.codes = 3
    })
    await screen.findByText(/You have only 3 recovery codes left/)
    screen.getByText('Blue key')
    screen.getByText(/Passkey for fax\.clinic\.lan/)
  })

  it('gives a passkey another name', async () => {
    const { user, world } = open((each) => addPasskey(each, { name: 'Chrome on Linux' }))
    await press('Rename passkey Chrome on Linux')(user)
    await rename(user)
    await screen.findByText('Blue key')
    expect(world.factors.passkeys).toMatchObject([{ name: 'Blue key' }])
  })

  it('ends other sessions, and not this one', async () => {
    const { user } = open()
    await screen.findByText('Safari on iPhone')
    screen.getByText('This session')
    expect(screen.getAllByRole('button', { name: /^End the session/ })).toHaveLength(1)
    await press('Sign out everywhere else')(user)
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  })

  it.each<[RouteName, (world: World) => void, ((user: UserEvent) => Promise<unknown>)[]]>([
    ['getFactors', () => undefined, []],
    ['listOwnSessions', () => undefined, []],
    ['endOwnSession', () => undefined, [press(/^End the session/)]],
    ['endOtherSessions', () => undefined, [press('Sign out everywhere else')]],
    ['startTotp', () => undefined, [press('Set up')]],
    ['addTotp', () => undefined, [press('Set up'), typeCode('123456'), press('Turn on')]],
    ['removeTotp', withApp, [press('Remove authenticator app'), press('Remove')]],
    ['removePasskey', addPasskey, [press(/^Remove passkey/), press('Remove')]],
    ['renamePasskey', addPasskey, [press(/^Rename passkey/), rename]],
    ['renewRecoveryCodes', withApp, [press('Make new codes')]],
  ])('says when %s fails', async (call, prepare, steps) => {
    const { user } = open((world) => {
      prepare(world)
      world.failures.set(call, 'offline')
    })
    for (const step of steps) await step(user)
    await waitFor(() => {
      const said = screen.queryAllByRole('alert').map(({ textContent }) => textContent)
      expect(said.join(' ')).toContain(routes[call].failure)
    })
  })
})

describe('another password', () => {
  it('is refused at the field when it is too easy', async () => {
    const world = emptyWorld()
    const message = 'Choose at least 12 characters.'
    const body = { detail: message, code: 'invalid', request_id: 'r', fields: [{ field: 'password', message }] }
    world.failures.set('changePassword', { status: 422, statusText: 'Unprocessable Entity', body })
    const shown = { email: 'jane@clinic.example', onDone: () => undefined, onClose: () => undefined }
    const { user } = renderScreen(<PasswordDialog {...shown} />, { world })
    await user.type(screen.getByLabelText('New password'), 'short{Enter}')
    await screen.findByText(message)
  })
})
