import type { DescribedSetting } from '@faxdeck/contract'
import type { ReactNode } from 'react'
import { Button } from '../control/button.tsx'
import { Chip } from '../control/status-chip.tsx'
import fields from './fields.module.css'
import { SecretField, SelectField, Switch, TextField } from './fields.tsx'
import { beneathOf, entryFault, normalizedEntry, type SettingEntry, settledEntry, shownText } from './setting-entry.ts'
import styles from './setting-field.module.css'

interface Props {
  /** A row of the gateway's description. */
  setting: DescribedSetting
  /** What has been entered and not saved; absent when the setting is as it was. */
  entry: SettingEntry | undefined
  /** Undefined when the entry says nothing new: it is to be forgotten. */
  onEnter: (entry: SettingEntry | undefined) => void
  /** What the gateway or a rule of the form says against it. */
  wrong?: string | undefined
  /** More that can be done with it: a button, a note. */
  children?: ReactNode
}

const mustChange = 'Must change default password!'

/** A secret from the documentation is not a secret. */
function isShippedSecret({ type, default: shipped, is_default: isDefault }: DescribedSetting, entry?: SettingEntry) {
  if (type !== 'secret' || shipped === null) return false
  return typeof entry === 'string' ? entry.trim() === shipped : isDefault || entry === null
}

/** The id of the element around a setting, to scroll and focus to. */
export const settingId = (key: string) => `setting-${key}`

/**
 * One setting as a form shows it, whatever its type: control, help, fault, where its value comes from, whether it is
 * unsaved, and the ways back. It keeps nothing: the form around it holds the entries and saves them.
 *
 *     <SettingField setting={row} entry={entries[row.key]} onEnter={(entry) => enter(row.key, entry)} />
 */
export function SettingField({ setting, entry, onEnter, wrong, children }: Props) {
  const fault = wrong ?? entryFault(setting, entry) ?? (isShippedSecret(setting, entry) ? mustChange : undefined)
  const enter = (next: SettingEntry | undefined) => onEnter(next === undefined ? next : normalizedEntry(setting, next))
  return (
    <div id={settingId(setting.key)} className={styles.setting} data-unsaved={entry !== undefined || undefined}>
      <Control setting={setting} entry={entry} fault={fault} onEnter={enter} />
      <div className={styles.foot}>
        <Origin setting={setting} entry={entry} />
        <ResetActions setting={setting} entry={entry} onEnter={onEnter} />
      </div>
      {children}
    </div>
  )
}

interface ControlProps {
  setting: DescribedSetting
  entry: SettingEntry | undefined
  fault: string | undefined
  onEnter: (entry: SettingEntry | undefined) => void
}

function Control({ setting, entry, fault, onEnter }: ControlProps) {
  const { type, label, help, fixed, placeholder } = setting
  const text = shownText(setting, entry)
  const words = { label, help, wrong: fault, disabled: fixed, onChange: onEnter }
  if (setting.choices) return <Choice {...words} setting={setting} text={text} />
  if (type === 'switch') {
    const on = entry === null ? beneathOf(setting).value === true : (entry ?? setting.value) === true
    return (
      <>
        <Switch label={label} help={help} checked={on} disabled={fixed} onChange={onEnter} />
        {fault !== undefined && (
          <p className={fields.wrong} role="alert">
            {fault}
          </p>
        )}
      </>
    )
  }
  // Done with it: spaces around go, and what is no number becomes the fallback.
  const settle = () => typeof entry === 'string' && onEnter(settledEntry(setting, entry))
  if (type === 'secret') {
    return <SecretField {...words} value={text} placeholder={secretWords(setting, entry)} onBlur={settle} />
  }
  return (
    <TextField
      {...words}
      value={text}
      placeholder={placeholder}
      inputMode={type === 'number' ? 'decimal' : undefined}
      spellCheck={false}
      onBlur={settle}
    />
  )
}

/** What stands in the empty field of a secret, which itself never comes back. */
function secretWords({ configured, value, placeholder }: DescribedSetting, entry: SettingEntry | undefined): string {
  if (entry === null) return 'Will be cleared'
  if (!configured) return placeholder ?? 'Not configured'
  const last = typeof value === 'string' ? value.replace(/^\*+/, '') : ''
  return last === '' ? 'Configured' : `Configured, ends in ${last}`
}

interface ChoiceProps extends Omit<ControlProps, 'entry' | 'fault' | 'onEnter'> {
  label: string
  help: string
  wrong: string | undefined
  disabled: boolean
  text: string
  onChange: (entry: SettingEntry) => void
}

function Choice({ setting, text, onChange, ...words }: ChoiceProps) {
  const { choices = [], type, placeholder = 'Not set' } = setting
  const mayBeUnset = beneathOf(setting).value === null || text === ''
  const offered = mayBeUnset ? [{ value: '', label: placeholder }, ...choices] : choices
  const choose = (value: string) => onChange(type === 'switch' ? value === 'true' : value)
  return <SelectField {...words} value={text} choices={offered} onChange={choose} />
}

/** Nothing is said of a default: most settings have it. What was never set by hand may stand in the file of the first start. */
const sources = { default: '', environment: ' · From the environment or faxdeck.env', saved: ' · Saved here' } as const

function Origin({ setting, entry }: Pick<Props, 'setting' | 'entry'>) {
  const { env, source, fixed_why: fixedWhy, restart } = setting
  return (
    <p className={styles.origin}>
      {entry !== undefined && <Chip tone="warn">Unsaved</Chip>}
      <span>
        <code>{env}</code>
        {sources[source]}
        {restart && ' · takes effect after a restart'}
        {fixedWhy && ` · ${fixedWhy}`}
      </span>
    </p>
  )
}

/** What a reset leads to, in words. */
function beneathWords(setting: DescribedSetting): string {
  const { value, source } = beneathOf(setting)
  if (setting.type === 'secret') return source === 'environment' ? 'the environment’s' : 'the default'
  const shown = value === null ? 'not set' : value === true ? 'on' : value === false ? 'off' : value
  return `${source === 'environment' ? 'the environment’s' : 'the default'}: ${shown}`
}

function ResetActions({ setting, entry, onEnter }: Pick<Props, 'setting' | 'entry' | 'onEnter'>) {
  if (setting.fixed) return null
  if (entry !== undefined) {
    return (
      <Button tone="quiet" aria-label={`Undo ${setting.label}`} onClick={() => onEnter(undefined)}>
        Undo
      </Button>
    )
  }
  if (setting.source !== 'saved') return null
  const what = setting.type === 'secret' ? 'Clear' : 'Reset'
  return (
    <Button
      tone="quiet"
      aria-label={`${what} ${setting.label} to ${beneathWords(setting)}`}
      title={`To ${beneathWords(setting)}`}
      onClick={() => onEnter(null)}
    >
      {what}
    </Button>
  )
}
