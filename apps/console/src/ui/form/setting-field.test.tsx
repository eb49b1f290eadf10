import type { DescribedSetting } from '@faxdeck/contract'
import { render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import { patchOf, type SettingEntry } from './setting-entry.ts'
import { SettingField } from './setting-field.tsx'

function settingOf(fields: Partial<DescribedSetting>): DescribedSetting {
  return {
    key: 'a_setting',
    env: 'A_SETTING',
    at: 'a.setting',
    type: 'text',
    group: 'server',
    label: 'A setting',
    help: 'What it does.',
    value: null,
    configured: false,
    default: null,
    is_default: false,
    source: 'default',
    fixed: false,
    restart: false,
    ...fields,
  }
}

function Form({ setting, wrong }: { setting: DescribedSetting; wrong?: string }) {
  const [entry, setEntry] = useState<SettingEntry>()
  const entries = entry === undefined ? {} : { [setting.key]: entry }
  return (
    <>
      <SettingField setting={setting} entry={entry} onEnter={setEntry} wrong={wrong} />
      <output>{JSON.stringify(patchOf([setting], entries))}</output>
    </>
  )
}

function show(fields: Partial<DescribedSetting>, wrong?: string) {
  const setting = settingOf(fields)
  render(<Form setting={setting} wrong={wrong} />)
  return { user: userEvent.setup(), field: screen.getByLabelText<HTMLInputElement>('A setting') }
}

const patch = () => JSON.parse(document.querySelector('output')?.textContent ?? '') as unknown

describe('a setting', () => {
  it('says what it does, where it is set and where its value comes from', () => {
    const { field } = show({ value: 'here', configured: true, source: 'environment', restart: true })
    expect(field.value).toBe('here')
    screen.getByText('What it does.')
    screen.getByText(/From the environment or faxdeck.env · takes effect after a restart/)
    screen.getByText('A_SETTING')
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('is marked while unsaved, and not once it says again what it said', async () => {
    const { user, field } = show({ value: 'here', source: 'saved' })
    await user.type(field, 'after')
    screen.getByText('Unsaved')
    expect(patch()).toEqual({ a_setting: 'hereafter' })
    await user.type(field, '{Backspace>5/}')
    expect(screen.queryByText('Unsaved')).toBeNull()
    await user.type(field, 'x')
    await user.click(screen.getByRole('button', { name: 'Undo A setting' }))
    expect(field.value).toBe('here')
    expect(patch()).toEqual({})
  })

  it('resets to what lies beneath, and says what that is before and after', async () => {
    const beneath = { value: 'there', source: 'environment' } as const
    const { user, field } = show({ value: 'here', source: 'saved', beneath })
    await user.click(screen.getByRole('button', { name: 'Reset A setting to the environment’s: there' }))
    expect(field.value).toBe('there')
    expect(patch()).toEqual({ a_setting: null })
    await user.click(screen.getByRole('button', { name: 'Undo A setting' }))
    expect(field.value).toBe('here')
  })

  it('shows what counts when it is left empty, and changes nothing by it', async () => {
    const { user, field } = show({ value: 'here', source: 'environment' })
    await user.clear(field)
    expect(patch()).toEqual({})
    await user.tab()
    expect(field.value).toBe('here')
    expect(screen.queryByText('Unsaved')).toBeNull()
  })

  it('cannot be changed when it is fixed, and says why', () => {
    const { field } = show({ type: 'number', value: 60, min: 60, max: 60, fixed: true, fixed_why: 'Fixed: so it is.' })
    expect(field.disabled).toBe(true)
    screen.getByText(/Fixed: so it is\./)
    expect(screen.queryByRole('button')).toBeNull()
  })

  it('shows what is said against it', () => {
    const { field } = show({}, 'It must be text.')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    screen.getByText('It must be text.')
  })
})

describe('a secret setting', () => {
  const masked = { type: 'secret', value: '***wxyz', configured: true, source: 'saved' } as const
  const beneath = { value: null, source: 'default' } as const

  it('never comes back: only that there is one, and how it ends', async () => {
    const { user, field } = show({ ...masked, beneath })
    expect(field.value).toBe('')
    expect(field.type).toBe('password')
    expect(field.placeholder).toBe('Configured, ends in wxyz')
    await user.type(field, 'new one')
    expect(patch()).toEqual({ a_setting: 'new one' })
    await user.clear(field)
    expect(patch()).toEqual({})
  })

  it('can be cleared', async () => {
    const { user, field } = show({ ...masked, beneath })
    await user.click(screen.getByRole('button', { name: /^Clear A setting/ }))
    expect(field.placeholder).toBe('Will be cleared')
    expect(patch()).toEqual({ a_setting: null })
  })

  it('must be changed while it is the one that everybody knows', async () => {
    const shipped = { type: 'secret', value: '***', configured: true, default: 'changeme', is_default: true } as const
    const { user, field } = show(shipped)
    screen.getByText('Must change default password!')
    await user.type(field, 'a better one')
    expect(screen.queryByText('Must change default password!')).toBeNull()
    await user.clear(field)
    await user.type(field, 'changeme')
    screen.getByText('Must change default password!')
  })
})

describe('a number setting', () => {
  const number = { type: 'number', value: 10, default: 10, min: 1, max: 50 } as const

  it('says at once which numbers it takes', async () => {
    const { user, field } = show(number)
    await user.clear(field)
    await user.type(field, '51')
    screen.getByText('It must be a whole number from 1 to 50.')
    await user.clear(field)
    await user.type(field, ' 7 ')
    expect(screen.queryByText(/It must be/)).toBeNull()
    expect(patch()).toEqual({ a_setting: 7 })
  })

  it('takes its fallback for what is no number', async () => {
    const { user, field } = show({ ...number, value: 20, fallback: 10 })
    await user.clear(field)
    await user.type(field, 'many')
    expect(patch()).toEqual({ a_setting: 10 })
    await user.tab()
    expect(field.value).toBe('10')
    await user.clear(field)
    await user.tab()
    expect(field.value).toBe('10')
  })

  it('takes parts of one where the row does', async () => {
    const { user, field } = show({ ...number, fraction: true })
    await user.clear(field)
    await user.type(field, '0.5')
    screen.getByText('It must be a number from 1 to 50.')
    await user.clear(field)
    await user.type(field, '2.5')
    expect(patch()).toEqual({ a_setting: 2.5 })
  })
})

describe('a setting with choices', () => {
  const choices = [
    { value: 'one', label: 'First' },
    { value: 'two', label: 'Second' },
  ]

  it('takes one of them, and can be unset where nothing lies beneath', async () => {
    const saved = { source: 'saved', beneath: { value: null, source: 'default' } } as const
    const { user, field } = show({ type: 'choice', value: 'one', choices, placeholder: 'As above', ...saved })
    await user.selectOptions(field, 'Second')
    expect(patch()).toEqual({ a_setting: 'two' })
    await user.selectOptions(field, 'As above')
    expect(patch()).toEqual({ a_setting: null })
  })

  it('cannot be unset where something lies beneath', () => {
    show({ type: 'choice', value: 'one', default: 'one', choices })
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['First', 'Second'])
  })

  it('offers on and off by their meaning where they have one', async () => {
    const words = [
      { value: 'true', label: 'Required' },
      { value: 'false', label: 'Not verified' },
    ]
    const { user, field } = show({ type: 'switch', value: true, default: true, choices: words })
    await user.selectOptions(field, 'Not verified')
    expect(patch()).toEqual({ a_setting: false })
    await user.selectOptions(field, 'Required')
    expect(patch()).toEqual({})
  })
})

describe('a switch setting', () => {
  it('is switched, marked and undone', async () => {
    const { user } = show({ type: 'switch', value: false, default: false })
    const control = screen.getByRole<HTMLInputElement>('switch', { name: 'A setting' })
    await user.click(control)
    expect(control.checked).toBe(true)
    expect(patch()).toEqual({ a_setting: true })
    await user.click(control)
    expect(patch()).toEqual({})
  })

  it('goes back to what lies beneath', async () => {
    const beneath = { value: true, source: 'environment' } as const
    const { user } = show({ type: 'switch', value: false, source: 'saved', beneath })
    await user.click(screen.getByRole('button', { name: 'Reset A setting to the environment’s: on' }))
    expect(screen.getByRole<HTMLInputElement>('switch').checked).toBe(true)
    expect(patch()).toEqual({ a_setting: null })
  })
})
