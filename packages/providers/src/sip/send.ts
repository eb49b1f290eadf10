import { type Host, type ProviderSettings, Spool, TelephoneLine } from '@faxdeck/provider-kit'
import { openAmi } from './ami-session.ts'
import { type AsteriskAccess, AsteriskEngine } from './engine.ts'
import { originateHeaders, sipTuning } from './originate.ts'

/** Opens the line to Asterisk. What ended while nobody listened is reported at once. */
export function openSipLine(host: Host, settings: ProviderSettings): TelephoneLine {
  const spool = new Spool(host.directory)
  const access: AsteriskAccess = {
    open: (signal, onEvent) => openAmi(settings, signal, onEvent),
    originate: (fax, paths) => originateHeaders(fax, settings, paths),
    tuning: sipTuning(settings),
  }
  return new TelephoneLine(host, spool, (listener) => new AsteriskEngine(access, spool, listener, host.now))
}
