import type { InputOf, Routes } from '@faxdeck/contract'
import { callQuery } from '../../../api/call-query.ts'
import { client } from '../../../api/client.ts'

export type TunnelChoice = InputOf<Routes['configureTunnel']>['body']

/** What the gateway knows of the tunnel. */
export const tunnelQuery = callQuery(['tunnel'], client.getTunnelStatus)

export const configureTunnel = (body: TunnelChoice) => client.configureTunnel({ body })
export const testTunnel = () => client.testTunnel({})
export const makePairingCode = () => client.pairTunnel({})
