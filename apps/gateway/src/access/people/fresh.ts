import type { PersonSessionRow } from '../../base/db/tables/people.ts'

/** So long a person who signed in, or confirmed who they are, need not do so again. */
const freshMs = 10 * 60_000

/** Whether the person of a session has just proved who they are. */
export const isFresh = ({ confirmed_at: at }: Pick<PersonSessionRow, 'confirmed_at'>, now: Date): boolean =>
  at !== null && now.getTime() - Date.parse(at) < freshMs
