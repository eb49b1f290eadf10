import { useId } from 'react'
import styles from './fields.module.css'

interface Props {
  label: string
  help?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** On or off, in force at once or with the form around it. */
export function Switch(props: Props) {
  return <Toggle {...props} role="switch" className={styles.switch} />
}

/** One of several that may be chosen together. */
export function Checkbox(props: Props) {
  return <Toggle {...props} className={styles.check} />
}

interface ToggleProps extends Props {
  role?: 'switch'
  className: string | undefined
}

function Toggle({ label, help, checked, onChange, disabled, role, className }: ToggleProps) {
  const id = useId()
  return (
    <div className={className}>
      <input
        id={id}
        type="checkbox"
        role={role}
        checked={checked}
        disabled={disabled}
        aria-describedby={help ? `${id}-help` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>
        <label htmlFor={id}>{label}</label>
        {help && (
          <span id={`${id}-help`} className={styles.help}>
            {' '}
            {help}
          </span>
        )}
      </span>
    </div>
  )
}
