import type { ComponentProps } from 'react'
import { Field, type FieldWords } from './field.tsx'
import styles from './fields.module.css'

interface Props extends FieldWords, Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'className'> {
  value: string
  onChange: (value: string) => void
}

/** One line of text. Other attributes (`type`, `inputMode`, `autoComplete`, `autoFocus` …) reach the input. */
export function TextField({ label, help, wrong, onChange, ...rest }: Props) {
  return (
    <Field label={label} help={help} wrong={wrong}>
      {(names) => (
        <input
          autoComplete="off"
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}

interface AreaProps extends FieldWords, Omit<ComponentProps<'textarea'>, 'id' | 'onChange' | 'className'> {
  value: string
  onChange: (value: string) => void
}

/** Several lines of text. */
export function TextArea({ label, help, wrong, onChange, ...rest }: AreaProps) {
  return (
    <Field label={label} help={help} wrong={wrong}>
      {(names) => (
        <textarea
          rows={4}
          {...rest}
          {...names}
          className={styles.input}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
