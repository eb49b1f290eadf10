import type { Icon } from '@tabler/icons-react'
import { type ComponentProps, type MouseEvent, type ReactNode, useEffect, useState } from 'react'
import { copyText } from '../words/copy-text.ts'
import styles from './button.module.css'
import iconButtonStyles from './icon-button.module.css'
import { IconAlert, IconCheck, IconCopy } from './icons.ts'
import tooltipStyles from './tooltip.module.css'

interface Props extends Omit<ComponentProps<'button'>, 'disabled'> {
  /** `primary` is the one thing to do here; `danger` cannot be undone; `quiet` has no frame. */
  tone?: 'plain' | 'primary' | 'danger' | 'quiet'
  /** While the work runs: shown, announced, and pressing again does nothing. */
  busy?: boolean
  /** What it does, in place of `onClick`: it is busy meanwhile. */
  action?: { busy: boolean; run: (input: undefined) => void }
  disabled?: boolean
  /** Stands before the words. */
  icon?: Icon | undefined
}

/**
 * A button. Give `busy` while its work runs; it keeps its place and its focus meanwhile.
 *
 *     <Button tone="primary" busy={send.busy} onClick={() => send.run(fax)}>Send</Button>
 *     <Button action={refresh}>Refresh</Button>
 */
export function Button({
  tone = 'plain',
  action,
  busy = action?.busy ?? false,
  disabled = false,
  icon: Shape,
  onClick = () => action?.run(undefined),
  children,
  ...rest
}: Props) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (busy) event.preventDefault()
    else onClick(event)
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

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: Icon
  /** The control's name: said to a screen reader, and shown while pointed at. */
  label: string
  align?: 'middle' | 'end'
}

/** A square button with an icon and, while pointed at or focused, its name. */
export function IconButton({ icon: Shape, label, align, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label} align={align}>
      <button type="button" {...rest} className={iconButtonStyles.button} aria-label={label}>
        <Shape size="1.125rem" stroke={1.75} aria-hidden="true" />
      </button>
    </Tooltip>
  )
}

/** A link to another page that looks like an icon button; it opens in a tab of its own. */
export function IconLink({ icon: Shape, label, href }: { icon: Icon; label: string; href: string }) {
  return (
    <Tooltip text={label}>
      <a href={href} target="_blank" rel="noreferrer" className={iconButtonStyles.button} aria-label={label}>
        <Shape size="1.125rem" stroke={1.75} aria-hidden="true" />
      </a>
    </Tooltip>
  )
}

interface TooltipProps {
  text: string
  /** On which side of the middle the words stand; `end` near the right edge of the page. */
  align?: 'middle' | 'end'
  children: ReactNode
}

/**
 * Words beside a control while it is pointed at or focused. Only for what the control's own name already says
 * (an icon button's label): nothing may be found in a tooltip alone.
 */
function Tooltip({ text, align = 'middle', children }: TooltipProps) {
  return (
    <span className={tooltipStyles.anchor}>
      {children}
      <span className={tooltipStyles.words} data-align={align} aria-hidden="true">
        {text}
      </span>
    </span>
  )
}

interface CopyButtonProps {
  /** What is copied. */
  text: string
  /** The button's words: "Copy Key". */
  label?: string
  /** What is copied, for a screen reader when several stand together: "SSE address". */
  what?: string
  tone?: 'plain' | 'primary' | 'quiet'
}

/** Copies a text, confirms for two seconds, and says so to a screen reader. */
export function CopyButton({ text, label = 'Copy', what, tone = 'plain' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused'>()
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(undefined), 2_000)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    copyText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('refused'),
    )
  const words = outcome === 'copied' ? 'Copied' : outcome === 'refused' ? 'Not copied' : label
  // "Copy URL" and "of MCP over SSE" are heard as "URL of MCP over SSE copied".
  const said = what?.match(/^(of|with) /) ? `${label.replace(/^Copy /, '')} ${what}` : (what ?? 'Text')
  const Shape = outcome === 'copied' ? IconCheck : outcome === 'refused' ? IconAlert : IconCopy
  return (
    <>
      <Button icon={Shape} tone={tone} onClick={() => void copy()} aria-label={what ? `${label} ${what}` : undefined}>
        {words}
      </Button>
      <span className="unseen" role="status">
        {outcome === 'copied' && `${said} copied`}
        {outcome === 'refused' && 'Your browser blocked copying. Select the text and copy it yourself.'}
      </span>
    </>
  )
}
