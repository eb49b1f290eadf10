import { Field, type FieldWords } from './field.tsx'
import styles from './fields.module.css'

interface Props<Value extends string> extends FieldWords {
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  disabled?: boolean
}

/** One of a few values, in the browser's own list. */
export function SelectField<Value extends string>(props: Props<Value>) {
  const { label, help, wrong, value, choices, onChange, disabled } = props
  const choose = (chosen: string) => {
    const choice = choices.find((each) => each.value === chosen)
    if (choice) onChange(choice.value)
  }
  return (
    <Field label={label} help={help} wrong={wrong}>
      {(names) => (
        <select
          {...names}
          className={styles.input}
          value={value}
          disabled={disabled}
          onChange={(event) => choose(event.target.value)}
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
