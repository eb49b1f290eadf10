import type { ReactNode } from 'react'
import { CopyButton } from '../control/button.tsx'
import styles from './code-block.module.css'

interface Props {
  title: string
  code: string
  /** What is copied, for a screen reader; the title when absent. */
  what?: string
}

/** Lines to be pasted elsewhere, with a button that copies them. */
export function CodeBlock({ title, code, what = title }: Props) {
  return (
    <figure className={styles.block}>
      <figcaption>
        {title}
        <CopyButton tone="quiet" text={code} what={what} />
      </figcaption>
      <pre tabIndex={0}>{code}</pre>
    </figure>
  )
}

interface PlainCodeProps {
  'aria-label'?: string
  children: ReactNode
}

/** Lines as they are; they scroll where they are many or long. */
export function PlainCode(props: PlainCodeProps) {
  return <pre {...props} className={styles.plain} tabIndex={0} />
}

/** A value that is shown once, to be copied: one press selects all of it. */
export function IssuedValue({ children }: { children: ReactNode }) {
  return <code className={styles.issued}>{children}</code>
}
