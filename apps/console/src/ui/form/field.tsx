import { useId, type ReactNode } from 'react'
import styles from './fields.module.css'

export interface FieldWords {
  label: string
  /** One line below: what to enter, or what it does. */
  help?: string
  /** What is wrong with the present value; announced. */
  wrong?: string | undefined
}

interface ControlNames {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': boolean
}

interface Props extends FieldWords {
  /** Draws the control with the names that tie it to its label, help and fault. */
  children: (names: ControlNames) => ReactNode
}

/** A label, a control, and below it what helps or what is wrong. The other fields are made of it. */
export function Field({ label, help, wrong, children }: Props) {
  const id = useId()
  const hasWords = wrong !== undefined || help !== undefined
  const names = { id, 'aria-describedby': hasWords ? `${id}-words` : undefined, 'aria-invalid': wrong !== undefined }
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      {children(names)}
      <div id={`${id}-words`} aria-live="polite" hidden={!hasWords}>
        {wrong !== undefined && <p className={styles.wrong}>{wrong}</p>}
        {help !== undefined && <p className={styles.help}>{help}</p>}
      </div>
    </div>
  )
}
