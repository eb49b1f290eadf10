import type { Locator, Page } from 'playwright-core'
import type { GatewayProcess } from './gateway-process.ts'

/** What the console keeps in the browser, by name. */
const keyName = 'faxdeck-admin-key'
const themeName = 'theme-mode'

/** Opens the console as a newcomer does, by the address alone. */
export async function openConsole(page: Page, gateway: GatewayProcess): Promise<void> {
  await page.goto(`${gateway.url}/`)
}

export async function logIn(page: Page, key: string): Promise<void> {
  await page.getByLabel('API Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Login' }).click()
}

/** Opens the console with a key that an earlier visit stored, and a theme; waits until a screen stands. */
export async function returnToConsole(page: Page, gateway: GatewayProcess, theme = 'light'): Promise<void> {
  const kept = { [keyName]: gateway.key, [themeName]: theme }
  // Only where nothing is kept yet: the script runs at every load, also after a log out.
  await page.addInitScript(`if (!sessionStorage.getItem('returned')) {
    sessionStorage.setItem('returned', 'yes')
    for (const [name, value] of Object.entries(${JSON.stringify(kept)})) localStorage.setItem(name, value)
  }`)
  await openConsole(page, gateway)
  await title(page, 'Dashboard')
}

/** Waits for the title of a screen. */
export async function title(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
}

/** The way to a place: a tab, a sub-tab, or an entry of the drawer on a small screen. */
export function wayTo(page: Page, label: string, bar = 'Main'): Locator {
  return page
    .getByRole('navigation', { name: bar, exact: true })
    .getByRole('button', { name: new RegExp(`^${label}\\b`) })
}

/** Goes to a screen by the tabs, or by the drawer where there are none. */
export async function goTo(page: Page, label: string, group?: string): Promise<void> {
  const menu = page.getByRole('button', { name: 'Menu', exact: true })
  if (await menu.isVisible()) {
    await menu.click()
    await wayTo(page, label).click()
    return
  }
  if (group) await wayTo(page, group).click()
  await wayTo(page, label, group).click()
}
