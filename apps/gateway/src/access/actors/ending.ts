import type { Leavings } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import type { SetUp } from '../../base/moments.ts'
import { readRevoked } from '../../base/settings/versions.ts'

/** What keys and people set up that could let them in again, or send data to them. */
export async function readSetUp(
  { moments: { keyEnded } }: GatewayContext,
  db: Reader,
  ids: readonly string[],
): Promise<SetUp> {
  return {
    settings: (await keyEnded.settings?.find(db, ids)) ?? [],
    plugins: (await keyEnded.plugins?.find(db, ids)) ?? [],
    webhooks: (await keyEnded.webhooks?.find(db, ids)) ?? [],
  }
}

/** Takes it back, in the transaction that ends the keys and people. Call `settings.reread` once that is committed. */
export async function takeBackSetUp(
  context: GatewayContext,
  tx: Tx,
  ids: readonly string[],
  by: string,
): Promise<{ settings_undone: string[]; plugins_undone: string[]; webhooks_paused: string[] }> {
  const { keyEnded, tokenEnded } = context.moments
  const { settings, plugins, webhooks } = await readSetUp(context, tx, ids)
  const ending = { ids, ended: new Set([...ids, ...(await readRevoked(tx))]), by, now: context.now() }
  for (const end of tokenEnded) for (const id of ids) await end(tx, id)
  await keyEnded.settings?.takeBack(tx, settings, ending)
  await keyEnded.plugins?.takeBack(tx, plugins, ending)
  await keyEnded.webhooks?.takeBack(tx, webhooks, ending)
  return {
    settings_undone: settings.map(({ key }) => key),
    plugins_undone: plugins.map(({ id }) => id),
    webhooks_paused: webhooks.map(({ id }) => id),
  }
}

/** What is done with those who were let in. */
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

/** Who let others in, what is done with these, and the caller, who is never among them. */
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
  /** The people they let in, and what they and those who would end with them set up. */
  readLeavings: (context: GatewayContext, about: EndingOf) => Promise<Leavings>
  /** Ends the people and keys they let in, as far as it was asked for. */
  endLetIn: (context: GatewayContext, tx: Tx, about: EndingOf) => Promise<Ended>
}
