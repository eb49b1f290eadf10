import type { FoundFax } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { pause } from '../../api/live/pause.ts'
import type { Session } from '../../session/session.ts'
import { IconHash, IconInbox, IconSend } from '../../ui/control/icons.ts'
import { shortTime } from '../../ui/time.tsx'
import type { Command } from './commands.ts'

/** A search begins when the typing pauses, and with so many letters. */
const typingPause = 250
const leastTyped = 3
const maxFound = 8

const searchQuery = (q: string, canAsk: boolean) =>
  queryOptions({
    queryKey: ['search', q],
    queryFn: async ({ signal }) => {
      await pause(typingPause, signal)
      return client.searchFaxes({ query: { q, limit: maxFound } }, { signal })
    },
    enabled: canAsk && q.length >= leastTyped,
    placeholderData: keepPreviousData,
    retry: false,
  })

const endOf = (number: string | null) => (number === null ? 'unknown number' : `…${number.slice(-4)}`)

function labelOf({ direction, number, name, excerpt, at }: FoundFax): string {
  const fax = `${direction === 'sent' ? 'To' : 'From'} ${endOf(number)}, ${shortTime(at)}`
  return [fax, name, excerpt].filter(Boolean).join(': ')
}

interface FoundFaxes {
  commands: Command[]
  isSearching: boolean
  /** Why no fax could be searched. */
  error: CallProblem | null
}

/**
 * The faxes that hold what is typed, as commands that open them with the words marked.
 * @param canAsk false while another request of the palette is under way
 */
export function useFoundFaxes(typed: string, { go, canGo, may }: Session, canAsk: boolean): FoundFaxes {
  const q = typed.trim()
  const { data, isFetching, error } = useQuery(searchQuery(q, canAsk && may('handle_faxes')))
  const found = q.length < leastTyped ? [] : (data?.faxes ?? [])
  const commands = found.map((fax): Command => {
    const place = fax.direction === 'sent' ? 'jobs' : 'inbound'
    return {
      key: `fax-${fax.id}`,
      label: labelOf(fax),
      kind:
        fax.page > 0
          ? `${fax.direction === 'sent' ? 'Sent' : 'Received'}, page ${fax.page}`
          : fax.direction === 'sent'
            ? 'Sent'
            : 'Received',
      icon: fax.direction === 'sent' ? IconSend : IconInbox,
      run: () => go(place, { open: fax.id, find: q }),
    }
  })
  return { commands: canGo('jobs') ? commands : [], isSearching: isFetching, error }
}

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
