import type { ReactNode } from 'react'
import { Panel } from '../../ui/layout/card.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { sectionId } from './reveal.ts'
import { FoldedSection } from './sections/folded-section.tsx'

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
