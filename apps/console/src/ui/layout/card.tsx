import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { IconChevronRight } from '../control/icons.ts'
import styles from './card.module.css'
import panelStyles from './panel.module.css'

interface Props {
  title: string
  /** Makes the whole card a way to another place. Selecting text inside or pressing a control inside does not go there. */
  onOpen?: () => void
  /** Its share of the row where there is room for four. */
  width?: 'quarter' | 'third' | 'half' | 'two-thirds' | 'full'
  children: ReactNode
}

const isOwnPress = (event: MouseEvent) => {
  const control = (event.target as Element).closest('a, button, input, select, textarea, summary, label')
  return !control && document.getSelection()?.isCollapsed !== false
}

/** A titled surface. With `onOpen` its title is a button and the whole surface may be clicked. */
export function Card({ title, onOpen, width = 'quarter', children }: Props) {
  const openUnlessBusy = onOpen && ((event: MouseEvent) => isOwnPress(event) && onOpen())
  return (
    <section
      className={styles.card}
      data-width={width}
      data-opens={onOpen ? true : undefined}
      aria-label={title}
      onClick={openUnlessBusy}
    >
      <h2 className={styles.title}>
        {onOpen ? (
          <button type="button" className={styles.opener} onClick={onOpen}>
            {title}
            <IconChevronRight size="0.875rem" aria-hidden="true" />
          </button>
        ) : (
          title
        )}
      </h2>
      {children}
    </section>
  )
}

/** Cards side by side: as many columns as there is room for, four at most. */
export function CardGrid({ children }: { children: ReactNode }) {
  return <div className={styles.grid}>{children}</div>
}

/** A surface with what belongs together, named by `aria-label` or by its title. */
export function Panel(props: Pick<ComponentProps<'section'>, 'id' | 'aria-label' | 'aria-labelledby' | 'children'>) {
  return <section {...props} className={panelStyles.panel} />
}
