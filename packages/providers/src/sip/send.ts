import { type Host, type ProviderSettings, Spool, TelephoneLine } from '@faxdeck/provider-kit'
import { AsteriskEngine } from './engine.ts'

/** Opens the line to Asterisk. What ended while nobody listened is told at once. */
export function openSipLine(host: Host, settings: ProviderSettings): TelephoneLine {
  const spool = new Spool(host.directory)
  return new TelephoneLine(host, spool, (ears) => new AsteriskEngine(settings, spool, ears, host.now))
}
