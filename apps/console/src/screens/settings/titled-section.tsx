import { type ReactNode, useState } from 'react'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { sectionId } from './reveal.ts'
import styles from './settings.module.css'

interface Props {
  /** What `open` of a visit names. */
  name: string
  title: string
  purpose?: string | undefined
  children: ReactNode
}

/** A section of a page, in full. */
export function TitledSection({ name, title, purpose, children }: Props) {
  const titleId = `${sectionId(name)}-title`
  return (
    <Panel id={sectionId(name)} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {purpose && <p className="quiet">{purpose}</p>}
      </div>
      {children}
    </Panel>
  )
}

interface FoldedProps extends Props {
  open: boolean
  unsaved: boolean
  /** Beside the title: how it stands. */
  chips?: ReactNode
}

/** A section that opens under its title: what most installations never need. Closed, it still says that something in it is unsaved. */
export function FoldedSection({ name, title, purpose, open, unsaved, chips, children }: FoldedProps) {
  // Once open it stays so: what was mended in it must not close it under the person's hands.
  const [opened, setOpened] = useState(false)
  const titleId = `${sectionId(name)}-title`
  return (
    <section id={sectionId(name)} aria-labelledby={titleId}>
      <Disclosure
        open={open || opened}
        onToggle={setOpened}
        summary={
          <>
            <h2 id={titleId} tabIndex={-1}>
              {title}
            </h2>
            <span className={styles.chips}>
              {unsaved && <Chip tone="warn">Unsaved</Chip>}
              {chips}
            </span>
          </>
        }
      >
        {purpose && <p className="quiet">{purpose}</p>}
        {children}
      </Disclosure>
    </section>
  )
}
