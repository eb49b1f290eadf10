import { Problem } from '../../base/http/answers/problem.ts'
import { advance, type Within } from './advance.ts'
import type { GatewayContext } from '../../base/context.ts'

/**
 * A person lets a held fax be sent.
 * @throws {Problem} `fax_not_found`, `conflict` when it is not held; what `within` returns
 */
export async function releaseFax(context: GatewayContext, id: string, by: string, within?: Within): Promise<void> {
  const released = await advance(context, id, { to: 'released', by }, undefined, within)
  if (!released) throw new Problem('fax_not_found')
  if (released.verdict !== 'applies') throw new Problem('conflict', 'This fax is not held, so it needs no release.')
}
