import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import {
  faultsOf,
  firstFault,
  liveEntries,
  patchOf,
  refusalsOf,
  type SettingEntries,
  type SettingEntry,
  type SettingsPatch,
  withEntry,
} from '../../ui/form/setting-entry.ts'
import { rowsQuery, saveSettings, staleAfterSaving } from './queries.ts'

/** The settings of MCP, what is entered over them, and how it is applied. */
export function useMcpForm() {
  const read = useQuery(rowsQuery)
  const [entered, setEntered] = useState<SettingEntries>({})
  const [tried, setTried] = useState<SettingsPatch>()
  const rows = read.data ?? []
  const entries = liveEntries(rows, entered)
  const patch = patchOf(rows, entries)
  const save = useAction(saveSettings, {
    refreshes: staleAfterSaving,
    onDone: () => setEntered({}),
    toast: 'MCP settings applied',
  })
  const enter = (key: string, entry: SettingEntry | undefined) =>
    setEntered((present) => withEntry(present, key, entry))
  const apply = () => {
    if (Object.keys(patch).length === 0 || firstFault(rows, entries) !== undefined) return
    setTried(patch)
    save.run(patch)
  }
  const refusals = refusalsOf(save.error, tried, patch)
  const discard = () => {
    setEntered({})
    save.reset()
  }
  return { read, rows, entries, enter, refusals, faults: faultsOf(rows, refusals), apply, save, discard }
}
export type McpForm = ReturnType<typeof useMcpForm>
