import { type ReactNode, useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { sectionId } from './reveal.ts'
import styles from './settings.module.css'

interface Props {
  /** What `open` of a visit names. */
  name: string
  title: string
  purpose?: ReactNode
  /** Open from the start on a small screen too. */
  open?: boolean
  unsaved?: boolean
  children: ReactNode
}

/**
 * A section of the screen. On a small one it opens under its title, as those of the providers do everywhere: together
 * they are long.
 */
export function TitledSection({ name, title, purpose, open, unsaved, children }: Props) {
  const wide = useWide()
  const explained = purpose && <p className="quiet">{purpose}</p>
  if (!wide) {
    return (
      <FoldedSection name={name} title={title} open={open} unsaved={unsaved}>
        {explained}
        {children}
      </FoldedSection>
    )
  }
  const titleId = `${sectionId(name)}-title`
  return (
    <Panel id={sectionId(name)} aria-labelledby={titleId}>
      <div>
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {explained}
      </div>
      {children}
    </Panel>
  )
}

interface FoldedSectionProps {
  /** What `open` of a visit names. */
  name: string
  title: string
  open?: boolean
  unsaved?: boolean
  /** Beside the title: how it stands. */
  chips?: ReactNode
  children: ReactNode
}

/**
 * A section that opens under its title. Closed, it still says that something in it is unsaved; on a small screen, where
 * nearly everything is closed, what is in it is drawn only once it is opened, is unsaved, or may be what a visit asks for.
 */
export function FoldedSection({ name, title, open = false, unsaved = false, chips, children }: FoldedSectionProps) {
  const wide = useWide()
  const { visit } = useSession()
  const [opened, setOpened] = useState(false)
  const isDrawn = wide || open || opened || unsaved || visit.open !== undefined
  const titleId = `${sectionId(name)}-title`
  return (
    <section id={sectionId(name)} aria-labelledby={titleId}>
      <Disclosure
        open={open}
        onToggle={() => setOpened(true)}
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
        {isDrawn && children}
      </Disclosure>
    </section>
  )
}
