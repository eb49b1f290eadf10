import type { FastifyRequest } from 'fastify'
import type { CoreSettings } from '@faxdeck/settings'
import type { Events } from '../events/events.ts'
import type { KeyHolder, Keys } from './keys.ts'
import type { NetworkSettings } from './network.ts'

export type DoorSettings = NetworkSettings &
  Pick<
    CoreSettings,
    'require_api_key' | 'max_file_size_mb' | 'max_requests_per_minute' | 'inbound_list_rpm' | 'inbound_get_rpm'
  >

/** What the guards need of the rest of the gateway. */
export interface Doors {
  /** The settings in force; the same object as long as nothing changes. */
  settings: () => DoorSettings
  keys: Keys
  /**
   * Who the access token of a request stands for, where such tokens are taken.
   * @throws {Problem} `unauthorized` for one that is refused
   */
  holderOfToken?: (request: FastifyRequest) => Promise<KeyHolder | undefined>
  events: Pick<Events, 'loginFailed' | 'apiKeyDeniedScope' | 'rateLimited' | 'apiError'>
  /** Milliseconds since 1970. */
  now: () => number
  /** True once the gateway is stopping. */
  stopping: () => boolean
}
