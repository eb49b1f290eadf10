import type { Provider } from '@faxdeck/provider-kit'
import { documo } from './documo/index.ts'
import { freeswitch } from './freeswitch/index.ts'
import { phaxio } from './phaxio/index.ts'
import { signalwire } from './signalwire/index.ts'
import { sinch } from './sinch/index.ts'
import { sip } from './sip/index.ts'
import { testline } from './testline/index.ts'
import { trunk } from './trunk/index.ts'

/** Every provider, in the order in which they are offered. */
export const providers: readonly Provider[] = [phaxio, sinch, signalwire, documo, trunk, sip, freeswitch, testline]
