import { resolve } from 'node:path'
import gateway from '../../apps/gateway/rolldown.config.mjs'
import { leanMaps } from '../../scripts/setup/lean-maps.mjs'
import { ownAddresses } from '../../scripts/setup/own-addresses.mjs'

const here = import.meta.dirname
/** The package is laid out as the checkout is: what a source finds by its own address lies where it looks for it. */
const folder = resolve(here, '../../apps/gateway/dist')

/** Gateway and command line as they are installed, without a source. FAXDECK_BUNDLE is the folder to write. */
export default {
  ...gateway,
  cwd: here,
  input: { serve: 'serve.mjs', 'command-line': '../command-line/command-line.mjs' },
  plugins: [ownAddresses(folder), leanMaps()],
  output: { ...gateway.output, dir: process.env.FAXDECK_BUNDLE },
}
