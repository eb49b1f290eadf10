import type { Leavings } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'

/** What becomes of those who were let in. */
export interface Ending {
  issued: 'keep' | 'revoke'
  people: 'keep' | 'suspend' | 'demote'
  /** The people it is about; all of them, when absent. */
  person_ids?: readonly string[] | undefined
}

/** An ending as a query names it. */
export const endingOf = ({
  person_ids: ids,
  ...rest
}: Omit<Ending, 'person_ids'> & { person_ids?: string | undefined }) => ({
  ...rest,
  person_ids: ids?.split(','),
})

/** Who let others in, what is to become of these, and who asks, with whom nothing is done. */
export interface EndingOf {
  start: string
  ending: Ending
  by: string
}

export interface Ended {
  keys: string[]
  suspended: string[]
  demoted: string[]
}

/** What ends together with a key or person. */
export interface Endings {
  /** Whom they let in, and what they and those who would end with them set up. */
  readLeavings: (context: GatewayContext, about: EndingOf) => Promise<Leavings>
  /** Ends those whom they let in, as far as it was asked for. */
  endLetIn: (context: GatewayContext, tx: Tx, about: EndingOf) => Promise<Ended>
}
