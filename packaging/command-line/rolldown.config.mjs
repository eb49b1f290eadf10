import { resolve } from 'node:path'
import commandLine from '../../apps/cli/rolldown.config.mjs'
import { ownAddresses } from '../../scripts/setup/own-addresses.mjs'

const here = import.meta.dirname
/** The package is laid out as the checkout is: what a source finds by its own address lies where it looks for it. */
const folder = resolve(here, '../../apps/cli/dist')

/** The command line for machines without a gateway. FAXDECK_BUNDLE is the folder to write. */
export default {
  ...commandLine,
  cwd: here,
  input: { faxdeck: 'command-line.mjs' },
  plugins: [ownAddresses(folder)],
  output: { ...commandLine.output, dir: process.env.FAXDECK_BUNDLE, banner: '#!/usr/bin/env node' },
}
