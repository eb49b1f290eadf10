import { screen, waitFor } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { unseal } from '../../api/tab-vault.ts'
import { renderScreen } from '../../testing/render-screen.tsx'
import { blankDraft } from './draft.ts'
import { restoreDraft } from './kept-draft.ts'
import { SendScreen } from './send.tsx'

describe('a draft', () => {
  it('is there again after its session has ended, with its file', async () => {
    const { user, unmount } = renderScreen(<SendScreen />, { at: { place: 'send' } })
    const number = await screen.findByRole('combobox').catch(() => screen.getByLabelText(/number/i))
    await user.type(number, '+1 555 555 0177')
    await user.upload(
      document.querySelector<HTMLInputElement>('input[type=file][accept*=".pdf"]') as HTMLInputElement,
      new File(['%PDF-1.4 words'], 'referral.pdf', { type: 'application/pdf' }),
    )
    await waitFor(async () => {
      expect(new TextDecoder().decode(await unseal('draft'))).toContain('referral.pdf')
      expect(await unseal('file')).toBeDefined()
    })
    // A new page with new answers: nothing of the old one is in its memory but the vault.
    unmount()
    renderScreen(<SendScreen />, { at: { place: 'send' } })
    await screen.findByText('Draft restored')
    await screen.findByText('referral.pdf')
  })

  it('comes back without the numbers that were tried: they may have been accepted', () => {
    const draft = {
      ...blankDraft,
      recipients: ['+15555550101', '+15555550102'],
      keys: [{ to: '+15555550101', key: 'k1' }],
    }
    const restored = restoreDraft({ draft, file: undefined }, undefined)
    expect(restored.recipients).toEqual(['+15555550102'])
    expect(restored.keys).toEqual([])
  })
})
