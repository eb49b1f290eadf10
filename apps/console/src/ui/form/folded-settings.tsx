import type { DescribedSetting } from '@faxdeck/contract'
import { useState, type ReactNode } from 'react'
import styles from './folded-settings.module.css'
import type { SettingEntries } from './setting-entry.ts'
import { Disclosure } from '../layout/disclosure.tsx'
import { Chip } from '../control/status-chip.tsx'

type Settings = readonly DescribedSetting[]

interface Props {
  settings: Settings
  /** What has been entered and not saved. */
  entries: SettingEntries
  isRefused: (setting: DescribedSetting) => boolean
  /** How the form draws some of the settings. */
  children: (settings: Settings) => ReactNode
}

/** The settings of a form, with those that are rarely changed folded away under "Advanced options". */
export function FoldedSettings({ settings, entries, isRefused, children }: Props) {
  const advanced = settings.filter((setting) => setting.advanced)
  return (
    <>
      {children(settings.filter((setting) => !setting.advanced))}
      {advanced.length > 0 && (
        <Fold
          summary={countWords(advanced)}
          unsaved={advanced.some(({ key }) => entries[key] !== undefined)}
          mustOpen={advanced.some(isRefused)}
        >
          {children(advanced)}
        </Fold>
      )}
    </>
  )
}

/** "28 settings, all at their defaults", or "2 of 28 set". */
function countWords(advanced: Settings): string {
  const set = advanced.filter(({ source }) => source !== 'default').length
  if (set > 0) return `${set} of ${advanced.length} set`
  return advanced.length === 1 ? '1 setting, at its default' : `${advanced.length} settings, all at their defaults`
}

interface FoldProps {
  summary: string
  unsaved: boolean
  mustOpen: boolean
  children: ReactNode
}

function Fold({ summary, unsaved, mustOpen, children }: FoldProps) {
  // Once open it stays so: a refusal that a person mends must not close it under their hands.
  const [open, setOpen] = useState(false)
  return (
    <Disclosure
      open={open || mustOpen}
      onToggle={setOpen}
      inset
      summary={
        <>
          <span className={styles.title}>Advanced options</span>
          <span className={styles.count}>{summary}</span>
          {unsaved && <Chip tone="warn">Unsaved</Chip>}
        </>
      }
    >
      {children}
    </Disclosure>
  )
}
