import type { HoldKind } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from './client.ts'
import { useAction } from './use-action.ts'

/** Under this key stands everything that is known of legal holds. */
export const holdsKey = ['holds']

/** The holds in force that keep a fax. Only who may place holds is answered. */
export const holdsOnFaxQuery = (fax: string, mayKnow: boolean) =>
  queryOptions({
    queryKey: [...holdsKey, 'fax', fax],
    queryFn: ({ signal }) => client.listHolds({ query: { fax } }, { signal }),
    enabled: mayKnow,
  })

export interface NewHold {
  kind: HoldKind
  subject: string
  reason: string
}

export const usePlaceHold = (onDone: () => void) =>
  useAction((body: NewHold) => client.placeHold({ body }), { onDone, refreshes: [holdsKey], toast: 'Hold placed' })
