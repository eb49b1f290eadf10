import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientId, clientSecret, startProvider } from '../apps/gateway/src/access/people/oidc/testing/provider.ts'
import { browserPath, keepPicture, launchBrowser } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'

const accounts = {
  jane: { name: 'Jane Doe', email: 'jane.doe@clinic.example', email_verified: true, groups: ['Fax desk'] },
  stranger: { name: 'Eve', email: 'eve@clinic.example', email_verified: true },
}
const button = 'Sign in with Clinic account'

describe.skipIf(!browserPath)('single sign-on in a browser', () => {
  let gateway: GatewayProcess
  let provider: Awaited<ReturnType<typeof startProvider>>
  let browser: Browser

  beforeAll(async () => {
    ;[gateway, browser] = await Promise.all([startGateway(), launchBrowser()])
    provider = await startProvider(accounts, `${gateway.url}/admin-demo/`, { host: 'localhost' })
    await gateway.client.updateSettings({
      body: {
        oidc_issuer: provider.issuer,
        oidc_client_id: clientId,
        oidc_client_secret: clientSecret,
        oidc_label: 'Clinic account',
        oidc_create: true,
        oidc_role_claim: 'groups',
        oidc_roles: 'Fax desk=operator',
      },
    })
  })
  afterAll(async () => {
    await browser.close()
    await Promise.all([gateway.remove(), provider.stop()])
  })

  const atProvider = async (page: Page, login: string) => {
    await page.goto(`${gateway.url}/`)
    await page.getByRole('button', { name: button }).click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.locator('input[name=login]').fill(login)
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.waitForURL(/interaction/)
    await page.locator('input[name=prompt][value=consent]').waitFor({ state: 'attached' })
    await page.locator('button[type=submit]').click()
  }

  it('signs a person in with the role of their groups, leaves nothing in the address, and signs out at both', async () => {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${gateway.url}/`)
    await page.getByRole('button', { name: button }).waitFor()
    await keepPicture(page, 'single-sign-on-login')
    await atProvider(page, 'jane')
    await page.getByRole('navigation', { name: 'Main' }).waitFor()
    expect(page.url()).toBe(`${gateway.url}/admin-demo/`)
    const tabs = await page.getByRole('navigation', { name: 'Main' }).getByRole('button').allTextContents()
    expect([tabs.includes('Jobs'), tabs.includes('Settings')]).toEqual([true, false])
    const people = await gateway.client.listPeople({})
    expect(people).toMatchObject([{ name: 'Jane Doe', role: 'operator', state: 'active' }])
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('log out')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${provider.issuer}/session/end?**`)
    await page.locator('button[name=logout][value=yes]').click()
    await page.waitForURL(`${gateway.url}/admin-demo/`)
    await page.getByRole('button', { name: button }).waitFor()
    expect(await gateway.client.listPeople({})).toMatchObject([{ sessions: 0 }])
    // The provider has forgotten the person too: it asks again.
    await page.getByRole('button', { name: button }).click()
    await page.locator('input[name=login]').waitFor()
    await page.context().close()
  })

  it('says in the login why somebody is refused', async () => {
    const page = await (await browser.newContext()).newPage()
    await atProvider(page, 'stranger')
    await page.getByText(/Your account at the sign-in provider has no role here/).waitFor()
    await keepPicture(page, 'single-sign-on-refused')
    await page.getByRole('button', { name: 'Go to login' }).click()
    await page.getByRole('button', { name: button }).waitFor()
    await page.context().close()
  })
})
