import { render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { SaidOnce } from './said-once.tsx'

describe('a line for screen readers', () => {
  it('is said once after an act, when its words are about that, and not for changes afterwards', () => {
    const { rerender } = render(<SaidOnce act={0} isSettled words="30 faxes" />)
    const said = () => screen.getByRole('status').textContent
    rerender(<SaidOnce act={0} isSettled words="31 faxes" />)
    expect(said()).toBe('')
    rerender(<SaidOnce act={1} isSettled={false} words="31 faxes" />)
    expect(said()).toBe('')
    rerender(<SaidOnce act={1} isSettled words="2 faxes" />)
    expect(said()).toBe('2 faxes')
    rerender(<SaidOnce act={1} isSettled words="3 faxes" />)
    expect(said()).toBe('2 faxes')
  })
})
