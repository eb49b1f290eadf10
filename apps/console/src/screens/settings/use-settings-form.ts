import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { providersQuery } from '../../api/providers.ts'
import { useAction } from '../../api/use-action.ts'
import {
  firstFault,
  liveEntries,
  patchOf,
  refusalsOf,
  type SettingEntries,
  type SettingEntry,
  type SettingsPatch,
} from '../../ui/form/setting-entry.ts'
import { useToast } from '../../ui/overlay/toast.tsx'
import type { Form } from './form.ts'
import { reloadSettings, rowsQuery, saveSettings, staleAfterSaving, type Saved } from './queries.ts'
import { reveal } from './reveal.ts'

const noRows: Form['rows'] = []

function entriesWith(present: SettingEntries, key: string, entry: SettingEntry | undefined): SettingEntries {
  const { [key]: _, ...others } = present
  return entry === undefined ? others : { ...others, [key]: entry }
}

/** The entries; `enter` stays the same function, so that a field is drawn anew only for its own. */
function useEntries() {
  const [entered, setEntered] = useState<SettingEntries>({})
  const enter = useCallback<Form['enter']>(
    (key, entry) => setEntered((present) => entriesWith(present, key, entry)),
    [],
  )
  return { entered, setEntered, enter }
}

/** What is entered, what it becomes on the wire, and how it is saved. */
export function useSettingsForm(onSaved: (saved: Saved, rows: Form['rows']) => void) {
  const say = useToast()
  const rowsRead = useQuery(rowsQuery)
  const providersRead = useQuery(providersQuery)
  const { entered, setEntered, enter } = useEntries()
  const [tried, setTried] = useState<SettingsPatch>()
  const rows = rowsRead.data ?? noRows
  const entries = liveEntries(rows, entered)
  const patch = patchOf(rows, entries)

  const reload = useAction(reloadSettings, { refreshes: staleAfterSaving, onDone: () => say('Applied and reloaded') })
  const save = useAction(saveSettings, {
    refreshes: staleAfterSaving,
    onDone: ({ _meta: meta }) => {
      setEntered({})
      onSaved(meta, rows)
      reload.run(undefined)
    },
  })
  const form: Form = {
    rows,
    providers: providersRead.data,
    entries,
    enter,
    refusals: refusalsOf(save.error, tried, patch),
  }

  const apply = () => {
    const faulty = firstFault(rows, entries)
    if (faulty !== undefined) {
      reveal(faulty)
      return
    }
    if (Object.keys(patch).length === 0) {
      reload.run(undefined)
      return
    }
    setTried(patch)
    save.run(patch)
  }
  return {
    form,
    patch,
    rowsRead,
    providersRead,
    apply,
    applyError: save.error ?? reload.error,
    applying: save.busy || reload.busy,
    discard: () => setEntered({}),
  }
}
