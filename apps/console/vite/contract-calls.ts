import { wireCalls } from '@faxdeck/contract'
import type { Plugin } from 'vite'

const name = 'virtual:calls'
const resolved = `\0${name}`

/**
 * The module `virtual:calls`: what the typed client needs to know of every call, written at build time.
 * The contract's schemas, and the library behind them, so stay out of the browser.
 */
export function contractCalls(): Plugin {
  return {
    name: 'faxdeck:contract-calls',
    resolveId: (id) => (id === name ? resolved : undefined),
    load: (id) => (id === resolved ? `export const calls = ${JSON.stringify(wireCalls())}` : undefined),
  }
}
