import type { BrowserContext } from 'playwright-core'

/** A script that keeps the key as an earlier visit would have; a page without an origin has nowhere to keep it. */
export const storingKey = (key: string) =>
  `if (location.origin !== 'null') localStorage.setItem('faxdeck-admin-key', ${JSON.stringify(key)})`

/** Lets the console find the key that an earlier visit would have stored. */
export const storeKey = (context: BrowserContext, key: string): Promise<void> =>
  context.addInitScript(storingKey(key)).then(() => undefined)
