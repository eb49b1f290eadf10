import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { SendScreen } from '../send.tsx'

const question = 'There is no area code 193 in the US. Dial anyway?'
const nobodys = '1930123456'
const letter = () => new File(['%PDF-1.7\n'], 'letter.pdf', { type: 'application/pdf' })

function open() {
  const shown = renderScreen(<SendScreen />, { at: { place: 'send' } })
  const field = screen.getByLabelText<HTMLInputElement>('Destination number')
  const attach = () => shown.user.upload(screen.getByLabelText('Document'), letter())
  return { ...shown, field, attach }
}

describe('a number that most likely does not exist', () => {
  it('is asked about before it is dialed, by keyboard too, and stays in the form when it is not', async () => {
    const { user, world, field, attach } = open()
    await user.type(field, nobodys)
    await attach()
    await screen.findByText('2 pages')
    await user.type(field, '{Enter}')
    await screen.findByRole('dialog', { name: question })
    expect(world.jobs).toHaveLength(0)
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(field.value).toBe('(193) 012-3456')
    expect(world.jobs).toHaveLength(0)

    await user.type(field, '{Enter}')
    await user.click(
      within(await screen.findByRole('dialog', { name: question })).getByRole('button', { name: 'Dial anyway' }),
    )
    await screen.findByText('Fax accepted')
    expect(world.jobs).toMatchObject([{ to: nobodys }])
  })

  it('is asked about once for a draft', async () => {
    const { user, world, field, attach } = open()
    await user.type(field, `${nobodys},`)
    await attach()
    await screen.findByText('2 pages')
    const { fetch } = globalThis
    let refusals = 1
    globalThis.fetch = async (address, init) =>
      address === '/fax' && refusals-- > 0 ? new Response('', { status: 503 }) : fetch(address, init)
    try {
      await user.click(screen.getByRole('button', { name: 'Send' }))
      await user.click(await screen.findByRole('button', { name: 'Dial anyway' }))
      await user.click(await screen.findByRole('button', { name: 'Retry' }))
      await screen.findByText('Fax accepted')
    } finally {
      globalThis.fetch = fetch
    }
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(world.jobs).toHaveLength(1)
  })

  it('is left out of a broadcast, unless it is chosen to be dialed', async () => {
    for (const dials of [false, true]) {
      const { user, world, field, attach, unmount } = open()
      const numbers = Array.from({ length: 25 }, (_, n) => `+1555555${2000 + n}`)
      const text = [...numbers, nobodys].join('\n')
      fireEvent.paste(field, { clipboardData: { getData: () => text } })
      await attach()
      await user.click(await screen.findByRole('button', { name: 'Send to 26 numbers' }))
      const dialog = await screen.findByRole('dialog', { name: 'Send to 25 numbers?' })
      within(dialog).getByText(/^1 number most likely doesn’t exist/)
      within(dialog).getByText(/There is no area code 193 in the US\./)
      if (dials) await user.selectOptions(within(dialog).getByLabelText('Unlikely numbers'), 'dial')
      const count = dials ? 26 : 25
      await user.click(within(dialog).getByRole('button', { name: `Send to ${count} numbers` }))
      await waitFor(() => expect(world.jobs).toHaveLength(count))
      expect(world.jobs.some(({ to }) => to === nobodys)).toBe(dials)
      unmount()
    }
  })
})
