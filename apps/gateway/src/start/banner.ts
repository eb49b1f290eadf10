import type { BootstrapKey } from '../access/api-keys/bootstrap.ts'
import { type OutboundState, testLineRemedy } from '../base/providers/test-line.ts'

interface BannerFacts extends OutboundState {
  /** Where the console is. */
  url: string
  key: Pick<BootstrapKey, 'key' | 'file' | 'isNew'>
  /** Whether a person reads this: what goes to a journal or a file instead stays there. */
  isTerminal: boolean
}

function keyLines({ key: { key, file, isNew }, isTerminal }: Pick<BannerFacts, 'key' | 'isTerminal'>): string[] {
  if (file === null) return ['Key       the one in API_KEY']
  return isNew && isTerminal
    ? [`Key       ${key}`, `          kept in ${file}; log in with it`]
    : [`Key       kept in ${file}`]
}

/** What becomes of faxes, where that may not be what a person believes. */
function lineWords({ testLine, bypassed, problem }: OutboundState): string[] {
  if (problem !== undefined) return [`No fax can be sent. ${problem}`]
  if (!testLine) return []
  return bypassed === undefined
    ? ['Test line is on: nothing leaves this machine. Set up a provider in the console to send for real.']
    : [`Test line is on: nothing leaves this machine. ${testLineRemedy(bypassed)}`]
}

/** What a person who starts the gateway needs to know. The key is shown once, when it is made, and only on a terminal. */
export function bannerOf({ url, key, isTerminal, ...line }: BannerFacts): string {
  const lines = [`Faxdeck   ${url}`, ...keyLines({ key, isTerminal }), ...lineWords(line), 'Ctrl-C stops it.']
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}
