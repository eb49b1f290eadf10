import type { Icon } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { IconButton } from '../control/button.tsx'
import { IconCheck } from '../control/icons.ts'
import styles from './menu.module.css'

interface Item {
  key: string
  label: string
  icon?: Icon
  /** Given for items of which one is in force. */
  checked?: boolean
  onChoose: () => void
}

interface Props {
  icon: Icon
  label: string
  items: readonly Item[]
  /** Several may be in force: the list stays open. */
  several?: boolean
}

const steps: Record<string, (at: number, last: number) => number> = {
  ArrowDown: (at, last) => (at >= last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** An icon button that opens a short list of choices. Arrow keys, Home, End, Escape; focus returns to the button. */
export function Menu({ icon, label, items, several = false }: Props) {
  const [open, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)

  useEffect(() => {
    if (!open) return
    const first =
      list.current?.querySelector<HTMLElement>('[aria-checked="true"]') ?? list.current?.querySelector('button')
    first?.focus()
    const leave = (event: PointerEvent) => {
      if (!root.current?.contains(event.target as Node)) setOpen(false)
    }
    document.addEventListener('pointerdown', leave)
    return () => document.removeEventListener('pointerdown', leave)
  }, [open])

  const close = () => {
    setOpen(false)
    root.current?.querySelector('button')?.focus()
  }
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
    if (event.key === 'Tab') setOpen(false)
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])]
    buttons[
      step(
        buttons.findIndex((button) => button === document.activeElement),
        buttons.length - 1,
      )
    ]?.focus()
  }
  return (
    <div ref={root} className={styles.root}>
      <IconButton
        icon={icon}
        label={label}
        align="end"
        aria-haspopup="menu"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {open && (
        <div ref={list} role="menu" aria-label={label} className={styles.list} onKeyDown={move}>
          {items.map((item) => (
            <MenuItem key={item.key} item={item} several={several} onDone={close} />
          ))}
        </div>
      )}
    </div>
  )
}

function MenuItem({ item, several, onDone }: { item: Item; several: boolean; onDone: () => void }) {
  const { icon: Shape, label, checked, onChoose } = item
  const choose = () => {
    onChoose()
    if (!several) onDone()
  }
  return (
    <button
      type="button"
      tabIndex={-1}
      role={checked === undefined ? 'menuitem' : several ? 'menuitemcheckbox' : 'menuitemradio'}
      aria-checked={checked}
      onClick={choose}
    >
      {Shape && <Shape size="1rem" aria-hidden="true" />}
      <span>{label}</span>
      {checked && <IconCheck size="1rem" aria-hidden="true" />}
    </button>
  )
}
