import type { ReactNode } from 'react'
import { Disclosure } from '../../ui/layout/disclosure.tsx'
import { useKept } from '../../ui/use-kept.ts'
import styles from './plugins.module.css'

interface Props {
  /** Unique: it stays as a person left it. */
  name: string
  title: string
  /** One line: what it is for. */
  purpose: string
  children: ReactNode
}

/** A section that is closed until a person wants it. */
export function Fold({ name, title, purpose, children }: Props) {
  const [open, setOpen] = useKept(`plugins.${name}`, false)
  return (
    <Disclosure
      open={open}
      onToggle={setOpen}
      summary={
        <>
          <h2>{title}</h2>
          <span className={styles.quiet}>{purpose}</span>
        </>
      }
    >
      {children}
    </Disclosure>
  )
}
