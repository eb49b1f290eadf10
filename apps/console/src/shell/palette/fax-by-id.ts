import type { CallProblem } from '@faxdeck/contract/client'
import { client } from '../../api/client.ts'
import { IconHash } from '../../ui/control/icons.ts'
import type { Command } from './commands.ts'
import type { Session } from '../../session/session.ts'

const fullId = /^[0-9a-f]{32}$/

/** The place of a fax as far as its person sees it; jobs where it is in neither, which then says so. */
async function placeOf(id: string, canGo: Session['canGo']): Promise<string> {
  const isThere = (asked: Promise<unknown>) =>
    asked.then(
      () => true,
      (error: unknown) => (error as CallProblem).answer?.code !== 'fax_not_found',
    )
  if (!canGo('inbound') || (await isThere(client.getJob({ params: { id } })))) return 'jobs'
  return (await isThere(client.getInbound({ params: { id } }))) ? 'inbound' : 'jobs'
}

/** A command that opens the fax whose whole id was typed, for people whose palette does not search faxes. */
export function faxByIdCommands(typed: string, { canGo, go, may }: Session): Command[] {
  const id = typed.trim().toLowerCase()
  if (!fullId.test(id) || may('handle_faxes') || !canGo('jobs')) return []
  const run = () => void placeOf(id, canGo).then((place) => go(place, { open: id }))
  return [{ key: `fax-id-${id}`, label: `Open fax ${id.slice(0, 8)}`, kind: 'Fax ID', icon: IconHash, run }]
}
