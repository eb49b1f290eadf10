import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { providersQuery } from '../../api/overview.ts'
import { useAction } from '../../api/use-action.ts'
import {
  faultsOf,
  firstFault,
  liveEntries,
  patchOf,
  refusalsOf,
  type SettingEntries,
  type SettingsPatch,
  withEntry,
} from '../../ui/form/setting-entry.ts'
import { type Form, pendingOutbound } from './form.ts'
import { dropMark, reloadSettings, rowsQuery, type Saved, saveSettings, staleAfterSaving } from './queries.ts'

const noRows: Form['rows'] = []

/** The entries; `enter` stays the same function, so that a field is drawn anew only for its own. */
function useEntries() {
  const [entered, setEntered] = useState<SettingEntries>({})
  const enter = useCallback<Form['enter']>((key, entry) => setEntered((all) => withEntry(all, key, entry)), [])
  return { entered, setEntered, enter }
}

/** What Set Active chose, and how it is taken back. */
function usePending(form: Form) {
  const drop = useAction(dropMark, { refreshes: staleAfterSaving })
  return { pending: pendingOutbound(form), drop }
}

/** What is entered, what it becomes on the wire, and how it is saved; `show` leads to a setting that cannot be. */
export function useSettingsForm(onSaved: (saved: Saved, rows: Form['rows']) => void, show: (key: string) => void) {
  const rowsRead = useQuery(rowsQuery)
  const providersRead = useQuery(providersQuery)
  const { entered, setEntered, enter } = useEntries()
  const [tried, setTried] = useState<SettingsPatch>()
  const rows = rowsRead.data ?? noRows
  const entries = liveEntries(rows, entered)
  const patch = patchOf(rows, entries)

  const reload = useAction(reloadSettings, { refreshes: staleAfterSaving, toast: 'Applied and reloaded' })
  const save = useAction(saveSettings, {
    refreshes: staleAfterSaving,
    onDone: ({ _meta: meta }) => {
      setEntered({})
      onSaved(meta, rows)
      reload.run(undefined)
    },
  })
  const refusals = refusalsOf(save.error, tried, patch)
  const faults = faultsOf(rows, refusals)
  // What was said against values that are entered no more is over.
  const isOver = (save.error?.answer?.fields?.length ?? 0) > 0 && faults.length === 0
  const form: Form = { rows, providers: providersRead.data, entries, enter, refusals }
  const { pending, drop } = usePending(form)

  const apply = () => {
    const faulty = firstFault(rows, entries)
    if (faulty !== undefined) show(faulty)
    else if (Object.keys(patch).length === 0) reload.run(undefined)
    else {
      setTried(patch)
      save.run(patch)
    }
  }
  const clear = () => [() => setEntered({}), save.reset, reload.reset, drop.reset].forEach((step) => step())
  return {
    form,
    patch,
    pending,
    rowsRead,
    providersRead,
    apply,
    faults,
    applyError: (isOver ? null : save.error) ?? reload.error ?? drop.error,
    applying: save.busy || reload.busy || drop.busy,
    clear,
    discard: () => {
      clear()
      if (pending) drop.run(undefined)
    },
  }
}
