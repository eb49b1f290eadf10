import { type Host, type ProviderSettings, Spool, TelephoneLine } from '@faxdeck/provider-kit'
import { FreeswitchEngine } from './engine.ts'

/** Opens the line to FreeSWITCH. */
export function openFreeswitchLine(host: Host, settings: ProviderSettings): TelephoneLine {
  const spool = new Spool(host.directory)
  return new TelephoneLine(host, spool, (listener) => new FreeswitchEngine(settings, spool, listener, host.now))
}
