import type { BrowserContext } from 'playwright-core'

/** Lets the console find the key that an earlier visit would have stored. */
export async function storeKey(context: BrowserContext, key: string): Promise<void> {
  await context.addInitScript(`localStorage.setItem('faxdeck-admin-key', ${JSON.stringify(key)})`)
}
