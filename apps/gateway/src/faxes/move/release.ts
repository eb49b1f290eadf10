import { Problem } from '../../http/answers/problem.ts'
import { advance } from './advance.ts'
import type { GatewayContext } from '../../context.ts'

/** A person lets a held fax be sent. Safe to repeat: one that is not held stays as it is. @throws {Problem} `fax_not_found` */
export async function releaseFax(context: GatewayContext, id: string, by: string): Promise<void> {
  if (!(await advance(context, id, { to: 'released', by }))) throw new Problem('fax_not_found')
}
