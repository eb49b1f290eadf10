import type { JobSummary } from '@faxdeck/contract'

/** The chosen jobs by id, as they were last seen: they stay chosen when the list moves on. */
export type Selection = ReadonlyMap<string, JobSummary>

export const nothingSelected: Selection = new Map()

export function toggle(selection: Selection, job: JobSummary): Selection {
  const next = new Map(selection)
  if (!next.delete(job.id)) next.set(job.id, job)
  return next
}

/** Adds all rows between two of them, whichever is first. */
export function extend(selection: Selection, rows: readonly JobSummary[], from: number, to: number): Selection {
  const between = rows.slice(Math.min(from, to), Math.max(from, to) + 1)
  return new Map([...selection, ...between.map((job) => [job.id, job] as const)])
}

/** The selection with the newest facts of the rows that are in the list. */
export function withFacts(selection: Selection, rows: readonly JobSummary[]): Selection {
  const stale = rows.filter((job) => selection.has(job.id) && selection.get(job.id) !== job)
  return stale.length === 0 ? selection : new Map([...selection, ...stale.map((job) => [job.id, job] as const)])
}

/** Those of the chosen jobs that now allow an action. */
export function allowing(selection: Selection, action: JobSummary['actions'][number]): JobSummary[] {
  return [...selection.values()].filter((job) => job.actions.includes(action))
}
