import type { Icon } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './icon-button.module.css'
import { Tooltip } from './tooltip.tsx'

interface Props extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  icon: Icon
  /** The control's name: said to a screen reader, and shown while pointed at. */
  label: string
  align?: 'middle' | 'end'
}

/** A square button with an icon and, while pointed at or focused, its name. */
export function IconButton({ icon: Shape, label, align, ...rest }: Props) {
  return (
    <Tooltip text={label} align={align}>
      <button type="button" {...rest} className={styles.button} aria-label={label}>
        <Shape size="1.125rem" stroke={1.75} aria-hidden="true" />
      </button>
    </Tooltip>
  )
}

/** A link to another page that looks like an icon button; it opens in a tab of its own. */
export function IconLink({ icon: Shape, label, href }: { icon: Icon; label: string; href: string }) {
  return (
    <Tooltip text={label}>
      <a href={href} target="_blank" rel="noreferrer" className={styles.button} aria-label={label}>
        <Shape size="1.125rem" stroke={1.75} aria-hidden="true" />
      </a>
    </Tooltip>
  )
}
