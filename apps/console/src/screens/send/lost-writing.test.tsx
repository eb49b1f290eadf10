import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { LostWriting } from './lost-writing.tsx'

const note = {
  page: 3,
  kind: 'lost_writing' as const,
  sentence: 'Some writing on page 3 cannot be read on the fax, near the top left.',
  places: [],
}

it('says which page loses writing and where, and lets the sender decide', async () => {
  const onChoose = vi.fn()
  render(<LostWriting notes={[note]} chosen="refuse" isDrawnHere onChoose={onChoose} />)
  expect(screen.getByRole('alert').textContent).toBe(note.sentence)
  await userEvent.selectOptions(screen.getByLabelText('If parts are unreadable'), 'Send it with a note')
  expect(onChoose).toHaveBeenCalledWith('send')
})

it('shows nothing when all writing can be read', () => {
  const { container } = render(<LostWriting notes={[]} chosen="refuse" isDrawnHere onChoose={() => undefined} />)
  expect(container.textContent).toBe('')
})

it('asks nothing about what is only good to know', () => {
  const told = { ...note, kind: 'split' as const, sentence: 'Page 3 is longer than a sheet and goes out as 2 pages.' }
  render(<LostWriting notes={[told]} chosen="refuse" isDrawnHere onChoose={() => undefined} />)
  expect(screen.getByRole('alert').textContent).toBe(told.sentence)
  expect(screen.queryByLabelText('If parts are unreadable')).toBeNull()
})

it('asks nothing where the provider draws the pages: nothing is held back there', () => {
  render(<LostWriting notes={[note]} chosen="refuse" isDrawnHere={false} onChoose={() => undefined} />)
  expect(screen.getByRole('alert').textContent).toBe(note.sentence)
  expect(screen.queryByLabelText('If parts are unreadable')).toBeNull()
})
