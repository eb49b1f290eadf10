import { type ComponentProps, type ReactNode, useId, useState } from 'react'
import { IconButton } from '../control/button.tsx'
import { IconEye, IconEyeOff, IconSearch } from '../control/icons.ts'
import styles from './fields.module.css'
import segmentsStyles from './segments.module.css'

interface FieldWords {
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

interface TextFieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'id' | 'onChange' | 'className'> {
  value: string
  onChange: (value: string) => void
}

/** One line of text. Other attributes (`type`, `inputMode`, `autoComplete`, `autoFocus` …) reach the input. */
export function TextField({ label, help, wrong, onChange, ...rest }: TextFieldProps) {
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

interface SelectFieldProps<Value extends string> extends FieldWords {
  value: Value
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value) => void
  disabled?: boolean
}

/** One of a few values, in the browser's own list. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
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

interface SecretFieldProps extends FieldWords, Omit<ComponentProps<'input'>, 'id' | 'type' | 'onChange' | 'className'> {
  value: string
  onChange: (value: string) => void
}

/** A password field whose content can be shown while it is typed. */
export function SecretField({ label, help, wrong, onChange, ...rest }: SecretFieldProps) {
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

interface SearchFieldProps {
  /** Its name, shown inside while it is empty: "Search words, number, ID or error". */
  label: string
  value: string
  onChange: (value: string) => void
}

/** The search of a screen; the `/` key comes here. Escape empties it. */
export function SearchField({ label, value, onChange }: SearchFieldProps) {
  const id = useId()
  return (
    <span className={styles.frame}>
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <IconSearch size="1rem" className={styles.start} aria-hidden="true" />
      <input
        id={id}
        type="search"
        data-search
        autoComplete="off"
        className={`${styles.input} ${styles.withStart}`}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
    </span>
  )
}

interface SwitchProps {
  label: string
  help?: string
  checked: boolean
  onChange: (checked: boolean) => void
  disabled?: boolean
}

/** On or off, in force at once or with the form around it. */
export function Switch(props: SwitchProps) {
  return <Toggle {...props} role="switch" className={styles.switch} />
}

/** One of several that may be chosen together. */
export function Checkbox(props: SwitchProps) {
  return <Toggle {...props} className={styles.check} />
}

interface ToggleProps extends SwitchProps {
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

interface SegmentsProps<Value extends string> {
  /** What is chosen between, said to a screen reader. */
  label: string
  choices: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
}

/** A few choices side by side, of which one is in force. Arrow keys go from one to the next. */
export function Segments<Value extends string>({ label, choices, value, onChange }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className={segmentsStyles.segments}>
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

/**
 * Ties fields to the values of a form by name.
 *
 *     const field = fieldsOf(entered, setEntered)
 *     <TextField label="Owner" {...field('owner')} />
 */
export const fieldsOf =
  <Values extends object>(values: Values, onChange: (values: Values) => void) =>
  <Name extends keyof Values>(name: Name) => ({
    value: values[name],
    onChange: (value: Values[Name]) => onChange({ ...values, [name]: value }),
  })
