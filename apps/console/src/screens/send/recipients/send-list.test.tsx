import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { saveSettings } from '../../../demo/installation/fake-settings.ts'
import { addPrices } from '../../../demo/records/fake-reports.ts'
import { emptyWorld } from '../../../demo/world.ts'
import { SendScreen } from '../send.tsx'

const number = (n: number) => `+1555555${String(2000 + n)}`
const numbers = (count: number) => Array.from({ length: count }, (_, n) => number(n))

describe('sending to a list', () => {
  it('shows a summary, asks, and becomes one broadcast', async () => {
    const { user, world } = renderScreen(<SendScreen />, { at: { place: 'send' } })
    const field = screen.getByLabelText('Destination number')
    const text = `${numbers(25).join('\n')}\n${number(3)}\nnot a number`
    fireEvent.paste(field, { clipboardData: { getData: () => text } })
    await screen.findByText('25 numbers, 1 duplicate removed, 1 invalid')
    await user.click(screen.getByRole('button', { name: 'Show' }))
    const shown = screen.getByRole('dialog', { name: 'Recipients' })
    within(shown).getByText(/^Row 27: not a number\. Not a fax number/)
    await user.click(within(shown).getAllByRole('button', { name: 'Close' }).at(-1) ?? shown)
    const file = new File(['%PDF-1.7\n'], 'news.pdf', { type: 'application/pdf' })
    await user.upload(screen.getByLabelText('Document'), file)
    await user.click(await screen.findByRole('button', { name: 'Send to 25 numbers' }))
    expect(world.broadcasts).toHaveLength(0)
    const question = screen.getByRole('dialog', { name: 'Send to 25 numbers?' })
    within(question).getByText('Left out: 1 duplicate and 1 invalid row.')
    await within(question).findByText('About 1 minute each, 25 minutes together.')
    await user.click(within(question).getByRole('button', { name: 'Send to 25 numbers' }))
    await waitFor(() =>
      expect(history.state).toMatchObject({ place: 'broadcasts', open: world.broadcasts[0]?.made.id }),
    )
    expect(world.jobs).toHaveLength(25)
  })

  it('takes the columns of a file as a person chooses them', async () => {
    const { user } = renderScreen(<SendScreen />, { at: { place: 'send' } })
    const text = `Praxis;Telefon;Telefax\nDr. Kim;${number(1)};${number(2)}\nDr. Lee;${number(3)};soon\n`
    await user.upload(screen.getByLabelText('From a file…'), new File([text], 'practices.csv'))
    const dialog = within(await screen.findByRole('dialog', { name: 'Which column holds what?' }))
    dialog.getByText('1 number, names: 1 of 1, 1 invalid')
    await user.selectOptions(dialog.getByLabelText('Fax number'), 'Telefon')
    dialog.getByText('2 numbers, names: 2 of 2')
    await user.selectOptions(dialog.getByLabelText('Fax number'), 'Telefax')
    dialog.getByText('+1 555 555 2002, Dr. Kim')
    dialog.getByText(/^Row 3: soon\. Not a fax number/)
    await user.selectOptions(dialog.getByLabelText('Name'), 'None')
    await user.click(dialog.getByRole('button', { name: 'Use 1 number' }))
    await screen.findByText('1 number, 1 invalid')
  })

  it('names what all of it costs by the prices in force', async () => {
    const world = emptyWorld()
    saveSettings(world, { fax_disabled: false, backend: 'phaxio', fax_header: 'Example Clinic' })
    addPrices(world)
    for (const price of world.prices ?? []) Object.assign(price, { per_call: '0.50' })
    const { user } = renderScreen(<SendScreen />, { world, at: { place: 'send' } })
    const text = numbers(25).join('\n')
    fireEvent.paste(screen.getByLabelText('Destination number'), { clipboardData: { getData: () => text } })
    await user.upload(screen.getByLabelText('Document'), new File(['%PDF-1.7\n'], 'news.pdf'))
    await screen.findByText('2 pages')
    await user.click(await screen.findByRole('button', { name: 'Send to 25 numbers' }))
    // Two pages at 0.06 or, before July 2026, 0.07, and a call.
    await screen.findByText(/^About 1 minute each, 25 minutes together, about 1[56]\.\d\d USD by your prices\.$/)
  })
})
