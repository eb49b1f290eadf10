import type { DescribedSetting } from '@faxdeck/contract'
import { render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { FoldedSettings } from './folded-settings.tsx'

const setting = (key: string, more: Partial<DescribedSetting> = {}) =>
  ({ key, label: key, source: 'default', ...more }) as DescribedSetting
const rows = [
  setting('host'),
  setting('codecs', { advanced: true }),
  setting('ports', { advanced: true, source: 'saved' }),
]

function show(settings = rows, entries = {}, refused?: string) {
  const form = (isRefused?: string) => (
    <FoldedSettings settings={settings} entries={entries} isRefused={({ key }) => key === isRefused}>
      {(some) => some.map(({ key }) => <p key={key}>{key}</p>)}
    </FoldedSettings>
  )
  const { rerender, container } = render(form(refused))
  return { fold: container.querySelector('details'), refuse: (key?: string) => rerender(form(key)) }
}

describe('settings that are rarely changed', () => {
  it('stand folded below the others, with how many of them are set', () => {
    const { fold } = show()
    expect(fold?.open).toBe(false)
    within(fold as HTMLElement).getByText('1 of 2 set')
    within(fold as HTMLElement).getByText('codecs')
    expect(fold?.contains(screen.getByText('host'))).toBe(false)
    expect(screen.queryByText('Unsaved')).toBeNull()
  })

  it('have no fold where there are none', () => {
    expect(show([setting('host')]).fold).toBeNull()
  })

  it('say that one of them is unsaved while they are folded', () => {
    show(rows, { codecs: 'alaw' })
    screen.getByText('Unsaved')
  })

  it('open when one of them is refused', () => {
    const { fold, refuse } = show()
    refuse('host')
    expect(fold?.open).toBe(false)
    refuse('ports')
    expect(fold?.open).toBe(true)
  })
})
