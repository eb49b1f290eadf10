import type { Labels } from '@faxdeck/contract'
import type { FaxJobRow, Tables } from '../../base/db/tables/tables.ts'

/** The labels that a fax is stored with. */
export function storedLabels({ reference, metadata }: Partial<Labels>): Pick<FaxJobRow, 'reference' | 'metadata'> {
  const pairs = Object.entries(metadata ?? {})
  return {
    reference: reference || null,
    metadata: pairs.length === 0 ? null : JSON.stringify(Object.fromEntries(pairs)),
  }
}

/** The labels of a fax as they are answered. Requests that an older release kept have none. */
export function labelsOf(job: Partial<Pick<FaxJobRow, 'reference' | 'metadata'>>): Labels {
  return {
    reference: job.reference ?? null,
    metadata: job.metadata ? (JSON.parse(job.metadata) as Labels['metadata']) : {},
  }
}

/** The pairs of faxes, each in a row, to be found by. */
export const metadataRows = (jobs: readonly FaxJobRow[]): Tables['fax_metadata'][] =>
  jobs.flatMap((job) =>
    Object.entries(labelsOf(job).metadata).map(([name, value]) => ({ name, value, job_id: job.id })),
  )

/** What labels add to the fingerprint that identifies a repeated submission; nothing without labels. */
export function labelsTrace(labels: Partial<Labels>): string {
  const { reference, metadata } = storedLabels(labels)
  return reference === null && metadata === null ? '' : JSON.stringify([reference, metadata])
}

/** What events say of a fax that belongs to a broadcast. */
export const ofBroadcast = ({ broadcast_id: id }: Pick<FaxJobRow, 'broadcast_id'>) =>
  id === null ? {} : { broadcast_id: id }
