import type { SettingEntries } from '../../ui/form/setting-entry.ts'
import { SelectField } from '../../ui/form/fields.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { useWide } from '../../ui/layout/use-media.ts'
import { useForm } from './form.ts'
import { type Page, rowsOn } from './sections/sections.ts'
import styles from './settings.module.css'

const unsavedOn = (page: Page, entries: SettingEntries) =>
  rowsOn(page).filter(({ key }) => entries[key] !== undefined).length

/** The pages with something unsaved: "General and Security". */
export function unsavedWords(pages: readonly Page[], entries: SettingEntries): string {
  const titles = pages.filter((page) => unsavedOn(page, entries) > 0).map(({ title }) => title)
  return new Intl.ListFormat('en-US').format(titles)
}

interface Props {
  pages: readonly Page[]
  page: Page
  /** Settings of every page are shown: none of them is the present one. */
  searching: boolean
  onGo: (page: string) => void
}

/** The pages of the settings, each with the count of what is unsaved on it; on a small screen a menu. */
export function PageMenu({ pages, page, searching, onGo }: Props) {
  const wide = useWide()
  const { entries } = useForm()
  const current = searching ? '' : page.key
  const all = pages.map((each) => ({ ...each, unsaved: unsavedOn(each, entries) }))
  if (!wide) {
    const choices = all.map(({ key, title, unsaved }) => ({
      value: key,
      label: unsaved > 0 ? `${title} (${unsaved} unsaved)` : title,
    }))
    const none = { value: '', label: 'All pages' }
    return (
      <SelectField label="Page" value={current} choices={searching ? [none, ...choices] : choices} onChange={onGo} />
    )
  }
  const tabs = all.map(({ key, title, unsaved }) => ({
    key,
    label: title,
    badge: unsaved > 0 && (
      <span className={styles.count}>
        {unsaved}
        <span className="unseen"> unsaved</span>
      </span>
    ),
  }))
  return (
    <div className={styles.pages}>
      <Tabs level="sub" label="Pages" tabs={tabs} current={current} onGo={onGo} />
    </div>
  )
}
