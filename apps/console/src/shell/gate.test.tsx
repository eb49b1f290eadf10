import { act, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { keepKey, readKey } from '../api/key.ts'
import { createQueryClient } from '../api/query-client.ts'
import { App } from '../app.tsx'
import { addKey } from '../demo/people/fake-keys.ts'
import { renderConsole } from '../testing/render-console.tsx'
import { answerFrom } from '../testing/render-screen.tsx'
import { bootstrapKey, emptyWorld } from '../demo/world.ts'
import { askBeforehand } from './ask-beforehand.ts'

const dashboard = () => screen.findByRole('heading', { name: 'Dashboard', level: 1 })
const login = () => screen.findByLabelText('API Key')

function storageChangedInOtherTab(newValue: string | null): void {
  if (newValue === null) localStorage.removeItem('faxdeck-admin-key')
  else localStorage.setItem('faxdeck-admin-key', newValue)
  act(() => void dispatchEvent(new StorageEvent('storage', { key: 'faxdeck-admin-key', newValue })))
}

describe('the way in', () => {
  it('asks for a key, keeps the one that was accepted and shows the dashboard', async () => {
    const { user } = renderConsole()
    await user.type(await login(), `${bootstrapKey}{Enter}`)
    await dashboard()
    expect(readKey()).toBe(bootstrapKey)
    expect(document.title).toBe('Dashboard · Faxdeck')
  })

  it('does not keep a key that was refused', async () => {
    const { user } = renderConsole()
    await user.type(await login(), 'wrong{Enter}')
    await screen.findByText('Invalid API key or insufficient permissions')
    expect(readKey()).toBeUndefined()
  })

  it('tries the kept key by itself', async () => {
    renderConsole({ key: bootstrapKey })
    await dashboard()
    expect(screen.queryByLabelText('API Key')).toBeNull()
  })

  it('asks again, with the reason, when the kept key is no longer good', async () => {
    renderConsole({ key: 'fdk_live_revoked' })
    await login()
    expect(screen.getByRole('alert').textContent).toMatch(/Your API key was revoked, rotated or has expired/)
    expect(readKey()).toBeUndefined()
  })

  it('says so as well when the gateway refuses the key while nothing is drawn yet', async () => {
    answerFrom(emptyWorld())
    keepKey('fdk_live_revoked')
    const { fetch } = globalThis
    const drawn = Promise.withResolvers<undefined>()
    let refused = 0
    // The refusals arrive before the first drawing, their bodies after it.
    vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
      const answer = await fetch(...given)
      if (answer.status === 401) refused += 1
      const body = new TransformStream<Uint8Array<ArrayBuffer>>({ start: () => drawn.promise })
      return new Response(answer.body?.pipeThrough(body), answer)
    })
    const queries = createQueryClient()
    askBeforehand(queries, false)
    await waitFor(() => expect(refused).toBe(2))
    render(<App queries={queries} />)
    drawn.resolve(undefined)
    await login()
    expect(screen.getByRole('alert').textContent).toMatch(/Your API key was revoked, rotated or has expired/)
  })

  it('does not keep a key that may not administer', async () => {
    const world = emptyWorld()
    renderConsole({ world, key: addKey(world, { scopes: ['fax:read'] }).token })
    await login()
    expect(screen.getByRole('alert').textContent).toBe('Invalid API key or insufficient permissions')
    expect(readKey()).toBeUndefined()
  })

  it('keeps the key and offers Retry when the gateway is silent', async () => {
    const world = emptyWorld()
    world.failures.set('getConfig', 'offline')
    const { user } = renderConsole({ world, key: bootstrapKey })
    await screen.findByText('The gateway did not answer.')
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await dashboard()
  })
})

describe('the way out', () => {
  it('forgets the key, what was kept, and the place', async () => {
    history.replaceState({ place: 'settings/keys' }, '')
    sessionStorage.setItem('faxdeck:jobs.filter', '{"q":"0123"}')
    const { user } = renderConsole({ key: bootstrapKey })
    await screen.findByRole('heading', { name: 'API Keys' })
    await user.click(screen.getByRole('button', { name: 'Log out' }))
    await user.type(await login(), `${bootstrapKey}{Enter}`)
    await dashboard()
    expect(sessionStorage.getItem('faxdeck:jobs.filter')).toBeNull()
  })

  it('follows a log-out and a log-in in another tab', async () => {
    renderConsole({ key: bootstrapKey })
    await dashboard()
    storageChangedInOtherTab(null)
    await login()
    expect(screen.queryByRole('alert')).toBeNull()
    storageChangedInOtherTab(bootstrapKey)
    await dashboard()
  })

  it('says why, and keeps the place, when the key was refused in another tab', async () => {
    history.replaceState({ place: 'settings/keys' }, '')
    renderConsole({ key: bootstrapKey })
    await screen.findByRole('heading', { name: 'API Keys' })
    storageChangedInOtherTab('')
    await login()
    expect(screen.getByRole('alert').textContent).toMatch(/Your API key was revoked, rotated or has expired/)
    storageChangedInOtherTab(bootstrapKey)
    await screen.findByRole('heading', { name: 'API Keys' })
  })

  it('goes to login with the reason when a call answers 401, and back to the same place after', async () => {
    const world = emptyWorld()
    const key = addKey(world, { scopes: ['keys:manage'] })
    const { user } = renderConsole({ world, key: key.token })
    await dashboard()
    await user.click(screen.getByRole('button', { name: 'Settings' }))
    await user.click(await screen.findByRole('button', { name: 'Keys' }))
    await screen.findByRole('heading', { name: 'API Keys' })
    world.keys = []
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await user.type(await login(), `${bootstrapKey}{Enter}`)
    await screen.findByRole('heading', { name: 'API Keys' })
    await waitFor(() => expect(document.title).toBe('Keys · Faxdeck'))
  })
})
