import type { InputOf, Routes } from '@faxdeck/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../api/client.ts'

export type TunnelChoice = InputOf<Routes['configureTunnel']>['body']

/** What the gateway knows of the tunnel. */
export const tunnelQuery = queryOptions({
  queryKey: ['tunnel'],
  queryFn: ({ signal }) => client.getTunnelStatus({}, { signal }),
})

export const configureTunnel = (body: TunnelChoice) => client.configureTunnel({ body })
export const testTunnel = () => client.testTunnel({})
export const makePairingCode = () => client.pairTunnel({})
