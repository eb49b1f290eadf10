import type { Config } from '@faxdeck/contract'
import { client } from '../../api/client.ts'

/**
 * Asks for the configuration with a key that is not kept yet: what it answers is the proof that the key is good.
 * @throws {CallProblem}
 */
export function tryKey(key: string): Promise<Config> {
  return client.getConfig({}, { headers: { 'x-api-key': key } })
}
