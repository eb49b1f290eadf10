import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Button, CopyButton } from './control/button.tsx'
import { SearchField, SecretField, SelectField, Switch, TextField } from './form/fields.tsx'
import { ToastProvider, useToast } from './overlay/toast.tsx'

afterEach(() => {
  vi.useRealTimers()
})

describe('a button', () => {
  it('does nothing more while its work runs, and keeps the focus', async () => {
    const press = vi.fn()
    const user = userEvent.setup()
    const { rerender } = render(<Button onClick={press}>Send</Button>)
    await user.click(screen.getByRole('button'))
    rerender(
      <Button busy onClick={press}>
        Send
      </Button>,
    )
    const button = screen.getByRole('button', { name: 'Send' })
    await user.click(button)
    await user.keyboard('{Enter}')
    expect(press).toHaveBeenCalledTimes(1)
    expect(document.activeElement).toBe(button)
    expect(button.getAttribute('aria-busy')).toBe('true')
  })

  it('does not submit its form while busy', async () => {
    const submit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault())
    const user = userEvent.setup()
    render(
      <form onSubmit={submit}>
        <Button type="submit" busy>
          Send
        </Button>
      </form>,
    )
    await user.click(screen.getByRole('button'))
    expect(submit).not.toHaveBeenCalled()
  })
})

describe('a copy button', () => {
  it('copies, says so for two seconds, and names it to a screen reader', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    render(<CopyButton text="fdk_1" label="Copy Key" what="of billing" />)
    await user.click(screen.getByRole('button', { name: 'Copy Key of billing' }))
    expect(await navigator.clipboard.readText()).toBe('fdk_1')
    await screen.findByText('Copied')
    expect(screen.getByRole('status').textContent).toBe('Key of billing copied')
    act(() => void vi.advanceTimersByTime(2_000))
    screen.getByText('Copy Key')
    expect(screen.getByRole('status').textContent).toBe('')
  })

  it('says when the browser refuses', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
    render(<CopyButton text="x" />)
    await user.click(screen.getByRole('button'))
    await screen.findByText(/Your browser blocked copying. Select the text and copy it yourself./)
  })

  it('says so where the browser has no clipboard, as over plain HTTP from another machine', async () => {
    const user = userEvent.setup()
    vi.spyOn(navigator, 'clipboard', 'get').mockReturnValue(undefined as unknown as Clipboard)
    render(<CopyButton text="x" />)
    await user.click(screen.getByRole('button'))
    await screen.findByText('Not copied')
  })
})

function Form() {
  const [name, setName] = useState('')
  const [kind, setKind] = useState<'a' | 'b'>('a')
  const [on, setOn] = useState(false)
  const wrong = name === 'bad' ? 'That is not a name.' : undefined
  const choices = [
    { value: 'a', label: 'First' },
    { value: 'b', label: 'Second' },
  ] as const
  return (
    <>
      <TextField label="Name" help="Any name." wrong={wrong} value={name} onChange={setName} />
      <SelectField label="Kind" value={kind} choices={choices} onChange={setKind} />
      <SecretField label="Password" value="secret" onChange={() => undefined} />
      <Switch label="On" help="In force at once." checked={on} onChange={setOn} />
      <SearchField label="Search" value={name} onChange={setName} />
      <output>{`${name} ${kind} ${on}`}</output>
    </>
  )
}

describe('fields', () => {
  it('tie label, help and fault to the control', async () => {
    const user = userEvent.setup()
    render(<Form />)
    const field = screen.getByLabelText('Name')
    const words = document.getElementById(field.getAttribute('aria-describedby') ?? '')
    expect(words?.textContent).toBe('Any name.')
    await user.type(field, 'bad')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(words?.textContent).toBe('That is not a name.Any name.')
  })

  it('hand on what is chosen, switched and searched', async () => {
    const user = userEvent.setup()
    render(<Form />)
    await user.selectOptions(screen.getByLabelText('Kind'), 'Second')
    await user.click(screen.getByRole('switch', { name: 'On' }))
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), '0123')
    expect(screen.getByRole('status').textContent).toBe('0123 b true')
    await user.keyboard('{Escape}')
    expect(screen.getByRole('status').textContent).toBe(' b true')
  })

  it('show a secret only when asked', async () => {
    const user = userEvent.setup()
    render(<Form />)
    const field = screen.getByLabelText<HTMLInputElement>('Password')
    expect(field.type).toBe('password')
    await user.click(screen.getByRole('button', { name: 'Show' }))
    expect(field.type).toBe('text')
    await user.click(screen.getByRole('button', { name: 'Hide' }))
    expect(field.type).toBe('password')
  })
})

function Teller({ onView = () => undefined }: { onView?: () => void }) {
  const say = useToast()
  return (
    <>
      <Button onClick={() => say('Copied', { brief: true })}>First</Button>
      <Button onClick={() => say('Not saved', { tone: 'bad' })}>Second</Button>
      <Button onClick={() => say('Fax accepted', { action: { label: 'View', run: onView } })}>Third</Button>
    </>
  )
}

describe('a snackbar', () => {
  function open(onView?: () => void) {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    render(
      <ToastProvider>
        <Teller onView={onView} />
      </ToastProvider>,
    )
    return userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  }
  const press = (name: string) => screen.getByRole('button', { name })
  const pass = (milliseconds: number) => act(() => void vi.advanceTimersByTime(milliseconds))

  it('goes after two seconds where it needs no reading', async () => {
    const user = open()
    await user.click(press('First'))
    screen.getByText('Copied')
    pass(2_100)
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it('stays long enough to be read, counted from the last one said', async () => {
    const user = open()
    await user.click(press('First'))
    pass(1_500)
    await user.click(press('Second'))
    expect(screen.queryByText('Copied')).toBeNull()
    pass(3_000)
    screen.getByText('Not saved')
    pass(1_100)
    expect(screen.queryByText('Not saved')).toBeNull()
  })

  it('waits while somebody is about to press what it offers', async () => {
    const onView = vi.fn()
    const user = open(onView)
    await user.click(press('Third'))
    pass(7_000)
    await user.hover(screen.getByText('Fax accepted'))
    pass(20_000)
    await user.click(screen.getByText('View'))
    expect(onView).toHaveBeenCalledOnce()
    expect(screen.queryByText('Fax accepted')).toBeNull()
  })
})
