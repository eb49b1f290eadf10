import { useState } from 'react'
import { IconViews } from '../../../ui/control/icons.ts'
import { TextField } from '../../../ui/form/fields.tsx'
import { FormDialog } from '../../../ui/overlay/dialog.tsx'
import { Menu } from '../../../ui/overlay/menu.tsx'
import { usePreference } from '../../../ui/use-preference.ts'
import { blankFilter, type FilterFields, readFilter, writeFilter } from './job-filter.ts'

interface View {
  name: string
  /** As in the address: without its search. */
  filter: string
}

const built: readonly View[] = [
  { name: 'All faxes', filter: '' },
  { name: 'Failed today', filter: writeFilter({ ...blankFilter, status: 'FAILED', range: '24h' }) },
  { name: 'Needs attention', filter: writeFilter({ ...blankFilter, status: 'attention' }) },
]
const none: readonly View[] = []
const longestName = 40

/** Filters under a name, kept in this browser. */
export function SavedViews({ filter, onChoose }: { filter: FilterFields; onChoose: (filter: FilterFields) => void }) {
  const [own, keepOwn] = usePreference('jobs.views', none)
  const [naming, setNaming] = useState(false)
  const present = writeFilter(filter)
  const isKept = [...built, ...own].some((view) => view.filter === present)
  const chosen = own.find((view) => view.filter === present)
  const views = [...built, ...own].map((view) => ({
    key: view.name,
    label: view.name,
    checked: view.filter === present && filter.q === '',
    onChoose: () => onChoose(readFilter(view.filter)),
  }))
  const save = { key: ' save', label: 'Save this view…', onChoose: () => setNaming(true) }
  const remove = {
    key: ' remove',
    label: `Remove “${chosen?.name ?? ''}”`,
    onChoose: () => keepOwn(own.filter((view) => view !== chosen)),
  }
  const close = () => setNaming(false)
  return (
    <>
      <Menu
        icon={IconViews}
        label="Saved views"
        items={[...views, ...(isKept ? [] : [save]), ...(chosen ? [remove] : [])]}
      />
      {naming && (
        <NameDialog
          taken={[...built, ...own].map(({ name }) => name)}
          hasSearch={filter.q.trim() !== ''}
          onClose={close}
          onName={(name) => {
            keepOwn([...own, { name, filter: present }])
            close()
          }}
        />
      )}
    </>
  )
}

interface NameProps {
  taken: readonly string[]
  hasSearch: boolean
  onName: (name: string) => void
  onClose: () => void
}

function NameDialog({ taken, hasSearch, onName, onClose }: NameProps) {
  const [typed, setTyped] = useState('')
  const name = typed.trim()
  const wrong = taken.includes(name) ? 'A view with this name already exists. Choose another name.' : undefined
  const help = `Saved in this browser.${hasSearch ? ' The search text is not saved, because it may name a person.' : ''}`
  return (
    <FormDialog
      title="Save this view"
      verb="Save view"
      ready={name !== '' && wrong === undefined}
      onSubmit={() => onName(name)}
      onClose={onClose}
    >
      <TextField
        label="Name"
        help={help}
        wrong={wrong}
        maxLength={longestName}
        autoFocus
        value={typed}
        onChange={setTyped}
      />
    </FormDialog>
  )
}
