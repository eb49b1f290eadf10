import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { leastReply } from '../../demo/fake-calls.ts'
import { NewFax } from './new-fax.tsx'

const fax = (minute: number, fr = '********0123') => ({
  ...leastReply('getInbound'),
  id: `fax-${minute}`,
  fr,
  pages: 1,
  received_at: `2026-11-26T10:0${minute}:00.000Z`,
})

describe('a fax that comes', () => {
  it('is said with its sender and pages; those that were there, or come with another list, are not', () => {
    const { rerender } = render(<NewFax faxes={[fax(1)]} list="unread" />)
    const said = () => screen.getByRole('status').textContent
    expect(said()).toBe('')
    rerender(<NewFax faxes={[fax(2), fax(1)]} list="unread" />)
    expect(said()).toBe('New fax from …0123, 1 page')
    rerender(<NewFax faxes={[fax(4), fax(3), fax(2), fax(1)]} list="unread" />)
    expect(said()).toBe('2 new faxes')
    rerender(<NewFax faxes={[fax(5), fax(4)]} list="all" />)
    expect(said()).toBe('')
  })
})
