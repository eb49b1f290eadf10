import { readFileSync } from 'node:fs'

/** A file of the configuration that we hand out, as it stands: `faxdeck.conf` or `ami.conf`. */
export const shippedFile = (name: string): string =>
  readFileSync(new URL(`./asterisk/${name}`, import.meta.url), 'utf8')
