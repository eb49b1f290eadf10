import type { Icon } from '@tabler/icons-react'
import type { ComponentProps, MouseEvent } from 'react'
import styles from './button.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  /** `primary` is the one thing to do here; `danger` cannot be undone; `quiet` has no frame. */
  tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** While the work runs: shown, announced, and pressing again does nothing. */
  busy?: boolean
  disabled?: boolean
  /** Stands before the words. */
  icon?: Icon | undefined
}

/**
 * A button. Give `busy` while its work runs; it keeps its place and its focus meanwhile.
 *
 *     <Button tone="primary" busy={send.busy} onClick={() => send.run(fax)}>Send</Button>
 */
export function Button({
  tone = 'plain',
  busy = false,
  disabled = false,
  icon: Shape,
  onClick,
  children,
  ...rest
}: Props) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={styles.button}
      data-tone={tone}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      disabled={disabled}
      onClick={press}
    >
      <span className={styles.face}>
        {Shape && <Shape size="1rem" aria-hidden="true" />}
        {children}
      </span>
      {busy && <span className={styles.wheel} aria-hidden="true" />}
    </button>
  )
}
