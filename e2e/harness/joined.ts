import type { Browser } from 'playwright-core'
import type { Role } from '../../packages/contract/src/index.ts'
import { openVisit } from './browser.ts'
import type { GatewayProcess } from './gateway-process.ts'

/** The password of everybody who joins. */
export const password = 'four words and a comma'

/** Somebody who joins by their link, in a browser of their own. @param expected errors that the visit provokes on purpose */
export async function joined(browser: Browser, gateway: GatewayProcess, name: string, role: Role, expected?: RegExp) {
  const email = `${name.toLowerCase()}@clinic.example`
  const { person, path } = await gateway.client.invitePerson({ body: { name, email, role } })
  const { page, faults } = await openVisit(browser, gateway.url, { reducedMotion: 'reduce' }, expected)
  await page.goto(gateway.url + path)
  await page.getByLabel('New password').fill(password)
  await page.locator('button[type=submit]').click()
  await page.getByRole('navigation', { name: 'Main', exact: true }).waitFor()
  return { page, faults, person, email }
}
