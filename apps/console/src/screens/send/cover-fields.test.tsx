import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen.tsx'
import { emptyWorld, type World } from '../../demo/world.ts'
import { SendScreen } from './send.tsx'

const letter = () => new File(['%PDF-1.7\n'], 'letter.pdf', { type: 'application/pdf' })
const sendButton = () => screen.getByRole('button', { name: /^Send/ })
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const preview = { timeout: 3000 }

async function open(world: World = emptyWorld()) {
  const shown = renderScreen(<SendScreen />, { world, at: { place: 'send' } })
  await shown.user.type(field('Destination number'), '5555550123')
  await shown.user.upload(field('Document'), letter())
  await screen.findByText(/^\d pages$/, undefined, preview)
  const choose = (template: string) => shown.user.selectOptions(field('Cover page'), template)
  return { ...shown, world, choose }
}

/** The forms that were sent, and the covers that were looked at. */
function watch() {
  const sent: Record<string, unknown>[] = []
  const looked: Record<string, unknown>[] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
    if (address === '/fax') sent.push(Object.fromEntries((init.body as FormData).entries()))
    if (address.endsWith('/cover')) looked.push(JSON.parse(init.body as string) as Record<string, unknown>)
    return answer(address, init)
  })
  return { sent, looked }
}

describe('the cover page on the Send screen', () => {
  it('is none until one is chosen, and then page 1 of the preview and of the quote', async () => {
    const { choose } = await open()
    expect(screen.queryByLabelText('Note')).toBeNull()
    await choose('Formal')
    await screen.findByText('3 pages', undefined, preview)
    screen.getByRole('button', { name: 'Open Page 3 of 3' })
    await screen.findByText(/90 KB to transmit/)
    await choose('None')
    await screen.findByText('2 pages')
  })

  it('is looked at and sent with what was written on it, and with the number', async () => {
    const { user, choose } = await open()
    const { sent, looked } = watch()
    await choose('Confidential')
    await user.type(field('For'), 'Dr. Doe')
    await user.type(field('From'), 'Records')
    await user.type(field('Subject'), 'Results')
    await user.type(field('Note'), 'Please call.')
    const written = { cover_to: 'Dr. Doe', cover_from: 'Records', cover_subject: 'Results', cover_note: 'Please call.' }
    await waitFor(() => {
      expect(looked.at(-1)).toEqual({ cover: 'confidential', to: '(555) 555-0123', ...written })
    }, preview)
    await user.click(sendButton())
    await waitFor(() => expect(sent).toMatchObject([{ cover: 'confidential', ...written }]))
  })

  it('keeps template and sender for the next fax, in this tab, and nothing else', async () => {
    const { user, choose, unmount } = await open()
    await choose('Plain')
    await user.type(field('From'), 'Records')
    await user.type(field('For'), 'Dr. Doe')
    await user.type(field('Note'), 'Please call.')
    await screen.findByText('3 pages', undefined, preview)
    await user.click(sendButton())
    await screen.findByText('Fax accepted')
    expect([field('From'), field('For'), field('Note')].map(({ value }) => value)).toEqual(['Records', '', ''])
    expect([...Object.values(sessionStorage), ...Object.values(localStorage)].join()).not.toMatch(/Doe|call/)
    unmount()
    renderScreen(<SendScreen />, { at: { place: 'send' } })
    expect([field('Cover page'), field('From')].map(({ value }) => value)).toEqual(['plain', 'Records'])
  })

  it('says that a name is the same for every recipient', async () => {
    const { user, choose } = await open()
    await choose('Plain')
    expect(screen.queryByText('Every recipient sees this name.')).toBeNull()
    await user.type(field('Destination number'), ',5555550124')
    screen.getByText('Every recipient sees this name.')
  })

  it('begins as the settings say, and says so when none is wanted', async () => {
    const world = emptyWorld()
    world.config.default_cover = 'formal'
    const { user, choose } = await open(world)
    const { sent } = watch()
    expect(field('Cover page').value).toBe('formal')
    await choose('None')
    await user.click(sendButton())
    await waitFor(() => expect(sent).toMatchObject([{ cover: 'none' }]))
    expect(sent[0]).not.toHaveProperty('cover_note')
  })

  it('says in its place why it cannot be printed, and is not sent like that', async () => {
    const { user, choose } = await open()
    const { sent } = watch()
    await choose('Plain')
    await user.click(field('Note'))
    await user.paste('line\n'.repeat(30))
    await screen.findByText(/^The note is too long for one cover page/, undefined, preview)
    screen.getByText('Nothing to show. The cover page can’t be faxed as it is.')
    await user.click(sendButton())
    screen.getByText('Please fix the errors above before sending.')
    expect(sent).toEqual([])
  })

  it('offers a retry when it could not be looked at', async () => {
    const world = emptyWorld()
    world.failures.set('coverPreview', { status: 500, statusText: 'Internal Server Error' })
    const { user, choose } = await open(world)
    await choose('Plain')
    await screen.findByText('Failed to prepare the preview', undefined, preview)
    world.failures.clear()
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await screen.findByText('3 pages', undefined, preview)
  })

  it('is not sent by Enter in one of its fields', async () => {
    const { user, choose } = await open()
    const { sent } = watch()
    await choose('Plain')
    await user.type(field('Subject'), 'Results{Enter}')
    expect(sent).toEqual([])
    expect(field('Subject').value).toBe('Results')
  })

  it('is another fax when it is changed after a failure', async () => {
    const { user, choose } = await open()
    const keys: (string | null)[] = []
    const answer = globalThis.fetch
    vi.stubGlobal('fetch', async (address: string, init: RequestInit = {}) => {
      if (address !== '/fax') return answer(address, init)
      keys.push(new Headers(init.headers).get('idempotency-key'))
      return new Response('', { status: 503, statusText: 'Service Unavailable' })
    })
    await user.click(sendButton())
    await waitFor(() => expect(keys).toHaveLength(1))
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(keys).toHaveLength(2))
    await choose('Plain')
    await user.click(sendButton())
    await waitFor(() => expect(keys).toHaveLength(3))
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })
})
