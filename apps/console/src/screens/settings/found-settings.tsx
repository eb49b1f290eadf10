import { useMemo } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Checkbox, fieldsOf, SearchField } from '../../ui/form/fields.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { findSettings, type SettingFilter } from './find-settings.ts'
import { isOfUse, useForm } from './form.ts'
import { elsewhere, ownWay, pagesOf, rowsOn } from './sections/sections.ts'
import { SettingRows } from './sections/setting-rows.tsx'
import styles from './settings.module.css'

interface Props {
  filter: SettingFilter
  onChange: (filter: SettingFilter) => void
}

/** Finds settings by their words, or those that are not at their defaults. */
export function SettingsFilter({ filter, onChange }: Props) {
  return (
    <div role="search" aria-label="Find settings" className={styles.find}>
      <SearchField label="Search settings" {...fieldsOf(filter, onChange)('words')} />
      <Checkbox
        label="Changed only"
        checked={filter.changedOnly}
        onChange={(changedOnly) => onChange({ ...filter, changedOnly })}
      />
    </div>
  )
}

const countWords = (count: number) => (count === 1 ? '1 setting' : `${count} settings`)

/** The settings that were looked for, under the titles of their sections. */
export function FoundSettings({ filter, onClear }: { filter: SettingFilter; onClear: () => void }) {
  const form = useForm()
  const { go } = useSession()
  const { rows, entries, providers } = form
  const found = useMemo(() => findSettings(rows, entries, filter), [rows, entries, filter])
  const shown = found.filter((row) => isOfUse(form, row) && !Object.hasOwn(ownWay, row.group))
  const sections = pagesOf(shown, providers)
    .flatMap((page) => page.sections)
    .map((section) => ({ ...section, rows: rowsOn({ sections: [section] }) }))
    .filter((section) => section.rows.length > 0)
  const away = Object.entries(elsewhere).flatMap(([group, place]) =>
    shown.filter((row) => row.group === group).map(({ key, label }) => ({ key, label, place })),
  )
  return (
    <>
      <p role="status" className={styles.found}>
        {shown.length === 0 ? 'No settings match.' : countWords(shown.length)}{' '}
        <Button tone="quiet" onClick={onClear}>
          Show all settings
        </Button>
      </p>
      {sections.map((section) => (
        <Panel key={section.key} aria-label={section.title}>
          <h2>{section.title}</h2>
          <SettingRows rows={section.rows} />
        </Panel>
      ))}
      {away.length > 0 && (
        <Panel aria-label="MCP">
          <h2>MCP</h2>
          <div className={styles.buttons}>
            {away.map(({ key, label, place }) => (
              <Button key={key} onClick={() => go(place, { open: key })}>
                {label}
              </Button>
            ))}
          </div>
        </Panel>
      )}
    </>
  )
}
