import type { Environment } from '@faxdeck/settings'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import type { Move } from '../../base/db/home.ts'
import type { Feature } from '../../base/feature.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { StartProblem } from '../../base/settings/start-problem.ts'

type HomeContext = Pick<GatewayContext, 'home' | 'database' | 'events' | 'now'>
/** Holds every fax that has not ended, and stops what would send more. */
type HoldAll = (database: Database, asOf: undefined, now: () => Date) => Promise<unknown>

const settledAlready = 'Nobody asks: the data folder is where it was.'

/**
 * Answers what became of a data folder. One that was moved goes on where it was. In a copy, every fax that has not ended
 * is held, because the original sends it.
 * @throws {Problem} `conflict` when there is no question
 */
export async function answerMove(
  { home, database, events, now }: HomeContext,
  move: Move,
  { keyId, hold }: { keyId: string; hold: HoldAll },
): Promise<void> {
  if (home.from === undefined) throw new Problem('conflict', settledAlready)
  // First of all: a start that is interrupted here asks again, and holding twice is holding once.
  if (move === 'copied') await hold(database, undefined, now)
  await home.settle(move)
  await events.dataFolderSettled({ key_id: keyId, was: move })
}

/** For installations that nobody looks at: `FAXDECK_DATA_FOLDER` is `moved` or `copied`. @throws {StartProblem} for another word */
export async function answerFromEnvironment(
  context: GatewayContext,
  { FAXDECK_DATA_FOLDER: was = '' }: Environment,
  hold: HoldAll,
): Promise<void> {
  if (was === '') return
  if (was !== 'moved' && was !== 'copied') {
    throw new StartProblem(`FAXDECK_DATA_FOLDER is "${was}". Set it to moved or to copied, or leave it out.`)
  }
  if (context.home.from !== undefined) await answerMove(context, was, { keyId: 'environment', hold })
}

/** Says what became of the data folder, when it is found in another place. */
export const createHome = (context: GatewayContext, hold: HoldAll) =>
  ({
    name: 'home',
    routes: {
      settleDataFolder: async ({ body, caller }) => {
        await answerMove(context, body.was, { keyId: caller.keyId, hold })
        return undefined
      },
    },
  }) satisfies Feature
