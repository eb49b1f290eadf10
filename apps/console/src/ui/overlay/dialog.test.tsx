import { fireEvent, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Button } from '../control/button.tsx'
import { Confirm, Dialog } from './dialog.tsx'

function Opener({ dismissable }: { dismissable?: boolean | 'by-key' }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      {open && (
        <Dialog title="A fax" onClose={() => setOpen(false)} dismissable={dismissable}>
          <p>Text</p>
          <input aria-label="Name" />
        </Dialog>
      )}
    </>
  )
}

async function open(dismissable?: boolean | 'by-key') {
  const user = userEvent.setup()
  render(<Opener dismissable={dismissable} />)
  await user.click(screen.getByRole('button', { name: 'Open' }))
  return { user, dialog: screen.getByRole('dialog', { name: 'A fax' }) }
}

describe('a dialog', () => {
  it('begins at the first thing to fill in, and gives the focus back', async () => {
    const { user } = await open()
    expect(document.activeElement).toBe(screen.getByLabelText('Name'))
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' }))
  })

  it('closes by its cross and by a press beside it, not by one inside', async () => {
    const { user, dialog } = await open()
    fireEvent.mouseDown(screen.getByText('Text'))
    screen.getByRole('dialog')
    fireEvent.mouseDown(dialog)
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Open' }))
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('cannot be closed by accident when it must not', async () => {
    const { user, dialog } = await open(false)
    await user.keyboard('{Escape}')
    fireEvent.mouseDown(dialog)
    screen.getByRole('dialog')
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  })

  it('with a secret is closed by Escape, not by a press beside it', async () => {
    const { user, dialog } = await open('by-key')
    fireEvent.mouseDown(dialog)
    screen.getByRole('dialog')
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a dialog over another', () => {
  it('is closed alone by Escape', () => {
    const closed: string[] = []
    render(
      <Dialog title="Below" onClose={() => closed.push('below')}>
        <Dialog title="Above" onClose={() => closed.push('above')}>
          Text
        </Dialog>
      </Dialog>,
    )
    fireEvent(screen.getByRole('dialog', { name: 'Above' }), new Event('cancel', { cancelable: true }))
    expect(closed).toEqual(['above'])
  })
})

describe('a dialog that the browser closes by itself', () => {
  const closeNatively = (dialog: HTMLElement) => {
    if (dialog instanceof HTMLDialogElement) dialog.close()
    fireEvent(dialog, new Event('close'))
  }

  it('is gone for the console too', async () => {
    const { dialog } = await open()
    closeNatively(dialog)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is opened again when it must not be closed by accident', async () => {
    const { dialog } = await open(false)
    closeNatively(dialog)
    expect(screen.getByRole('dialog')).toBe(dialog)
  })
})

describe('a question', () => {
  const question = (busy: boolean, confirm = vi.fn(), close = vi.fn()) => (
    <Confirm title="Revoke?" verb="Revoke" danger action={{ busy }} onConfirm={confirm} onClose={close}>
      <p>For good.</p>
    </Confirm>
  )

  it('begins at the harmless answer', () => {
    render(question(false))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Cancel' }))
  })

  it('cannot be answered twice or left while its work runs', async () => {
    const confirm = vi.fn()
    const close = vi.fn()
    const user = userEvent.setup()
    render(question(true, confirm, close))
    await user.click(screen.getByRole('button', { name: 'Revoke' }))
    await user.keyboard('{Escape}')
    expect(confirm).not.toHaveBeenCalled()
    expect(close).not.toHaveBeenCalled()
  })
})
