import type { JobSummary, ResendRefusal } from '@faxdeck/contract'
import { voiceSentence } from '@faxdeck/provider-kit'
import type { GatewayContext } from '../../base/context.ts'
import type { Reader } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { needsAttention } from '../move/move.ts'

const columns = [
  'id',
  'parent_id',
  'status',
  'phase',
  'backend',
  'is_test',
  'created_at',
  'updated_at',
  'finished_at',
] as const

/** Another fax with the same document to the same number: what a fax was sent again from, or as, over any steps. */
export type Copy = Pick<FaxJobRow, (typeof columns)[number]> & { isTest: boolean }

/** The copies of some faxes, oldest first, by the id of the fax. Indexes on id and parent answer. */
export async function readCopies(
  { providers }: Pick<GatewayContext, 'providers'>,
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, Copy[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .withRecursive('family(of, id, parent_id)', (step) =>
      step
        .selectFrom('fax_jobs')
        .select(['id as of', 'id', 'parent_id'])
        .where('id', 'in', ids)
        .union(
          step
            .selectFrom('family')
            .innerJoin('fax_jobs as job', (join) =>
              join.on((eb) =>
                eb.or([eb('job.parent_id', '=', eb.ref('family.id')), eb('job.id', '=', eb.ref('family.parent_id'))]),
              ),
            )
            .select(['family.of', 'job.id', 'job.parent_id']),
        ),
    )
    .selectFrom('family')
    .innerJoin('fax_jobs as copy', 'copy.id', 'family.id')
    .whereRef('copy.id', '<>', 'family.of')
    .select(['family.of', ...columns.map((name) => `copy.${name}` as const)])
    .execute()
  // Sorted here: asked to sort, SQLite looks through all faxes in their order for the few.
  const place = ({ created_at: at, id }: { created_at: string; id: string }) => `${at} ${id}`
  const sorted = rows.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
  const copies = sorted.map(({ of, ...copy }) => ({ of, copy: { ...copy, isTest: isTestFax(providers, copy) } }))
  return new Map([...Map.groupBy(copies, ({ of }) => of)].map(([id, all]) => [id, all.map(({ copy }) => copy)]))
}

/** By which later copy a fax was sent again: the one that was delivered, otherwise the newest. */
export function resentAs({ created_at: since }: FaxJobRow, copies: readonly Copy[]): JobSummary['resent_as'] {
  const later = copies.filter((copy) => copy.created_at > since)
  const copy = later.findLast(({ status }) => status === 'SUCCESS') ?? later.at(-1)
  if (!copy) return null
  const { id, status, isTest: test, finished_at: ended, updated_at: updated } = copy
  return { id, status, needs_attention: needsAttention(copy), test, at: ended ?? updated }
}

/** Whether a fax failed in a way that a call to the same number repeats: nobody has it, or a person does. */
export const hasNoFax = ({ status, error_kind: kind, error }: Pick<FaxJobRow, 'status' | 'error_kind' | 'error'>) =>
  status === 'FAILED' && (kind === 'bad_number' || (kind === 'line_error' && error?.includes(voiceSentence) === true))

/**
 * Why a fax that ended is not sent again unasked; null where it is. What a test took was not delivered.
 * @param isTest whether the fax itself was only a test
 */
export function resendRefusalOf(job: FaxJobRow, isTest: boolean, copies: readonly Copy[]): ResendRefusal | null {
  if (job.finished_at === null) return null
  const isDelivered = [{ ...job, isTest }, ...copies].some((each) => each.status === 'SUCCESS' && !each.isTest)
  if (isDelivered) return 'already_delivered'
  if (copies.some(({ finished_at: ended }) => ended === null)) return 'already_under_way'
  return hasNoFax(job) ? 'number_failed' : null
}
