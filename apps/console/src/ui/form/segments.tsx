import { useId } from 'react'
import styles from './segments.module.css'

interface Props<Value extends string> {
  /** What is chosen between, said to a screen reader. */
  label: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A few choices side by side, of which one is in force. Arrow keys go from one to the next. */
export function Segments<Value extends string>({ label, choices, value, onChange }: Props<Value>) {
  const name = useId()
  return (
    <fieldset className={styles.segments}>
      <legend className="unseen">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
