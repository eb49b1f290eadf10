import { useState, type ComponentProps } from 'react'
import { Field, type FieldWords } from './field.tsx'
import styles from './fields.module.css'
import { IconButton } from '../control/icon-button.tsx'
import { IconEye, IconEyeOff } from '../control/icons.ts'

interface Props extends FieldWords, Omit<ComponentProps<'input'>, 'id' | 'type' | 'onChange' | 'className'> {
  value: string
  onChange: (value: string) => void
}

/** A password field whose content can be shown while it is typed. */
export function SecretField({ label, help, wrong, onChange, ...rest }: Props) {
  const [shown, setShown] = useState(false)
  return (
    <Field label={label} help={help} wrong={wrong}>
      {(names) => (
        <span className={styles.frame}>
          <input
            autoComplete="off"
            spellCheck={false}
            {...rest}
            {...names}
            type={shown ? 'text' : 'password'}
            className={`${styles.input} ${styles.withEnd}`}
            onChange={(event) => onChange(event.target.value)}
          />
          <span className={styles.end}>
            <IconButton
              icon={shown ? IconEyeOff : IconEye}
              label={shown ? 'Hide' : 'Show'}
              align="end"
              aria-pressed={shown}
              onClick={() => setShown(!shown)}
            />
          </span>
        </span>
      )}
    </Field>
  )
}
