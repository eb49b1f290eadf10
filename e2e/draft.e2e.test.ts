import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { browserFlags, browserPath } from './harness/browser.ts'
import { type GatewayProcess, startGateway } from './harness/gateway-process.ts'
import { goTo, returnToConsole, title } from './harness/operator.ts'
import { pdfOf } from './harness/paper.ts'

/** What a draft must not leave readable anywhere, by what it is. */
const secrets = {
  number: '5555550187',
  typedText: 'Wombat biopsy is benign',
  fileName: 'quokka-referral.pdf',
  fileContent: 'Numbat glucose at nine',
}
/** What is stored plain on purpose: whoever finds it would find a secret as well. */
const marker = 'plainly-stored-marker-4711'

/** Everything that scripts can read back in this browser, bytes as Latin-1. */
const readStorages = `(async () => {
  const inWords = async (value) => {
    if (value instanceof Blob) return inWords(await value.arrayBuffer())
    if (value instanceof ArrayBuffer) value = new Uint8Array(value)
    if (ArrayBuffer.isView(value)) return Array.from(value, (byte) => String.fromCharCode(byte)).join('')
    if (value instanceof CryptoKey) return 'key that can be read out: ' + value.extractable
    if (value && typeof value === 'object')
      return (await Promise.all(Object.entries(value).map(async ([name, each]) => name + '=' + (await inWords(each))))).join('\\n')
    return String(value)
  }
  const asked = (request) => new Promise((done, fail) => { request.onsuccess = () => done(request.result); request.onerror = () => fail(request.error) })
  const found = [await inWords({ ...localStorage }), await inWords({ ...sessionStorage }), document.cookie, JSON.stringify(history.state)]
  for (const { name } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name))
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store)
      const [keys, values] = await Promise.all([asked(objects.getAllKeys()), asked(objects.getAll())])
      found.push(...keys.map(String), ...(await Promise.all(values.map(inWords))))
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) found.push(request.url, await inWords(await (await cache.match(request)).arrayBuffer()))
  }
  return found.join('\\n')
})()`

/** Which of these stand in a text as they are, or as UTF-16. */
const foundIn = (text: string, sought: Readonly<Record<string, string>>): string[] =>
  Object.entries(sought)
    .filter(([, secret]) => text.includes(secret) || text.includes(Array.from(secret).join('\0')))
    .map(([what]) => what)

/** Files of a folder, the folders in it included, in which one of these stands. */
const foundInFiles = (folder: string, sought: Readonly<Record<string, string>>): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => foundIn(readFileSync(path, 'latin1'), sought).map((what) => `${what} in ${path}`))

async function writeDraft(page: Page): Promise<void> {
  await goTo(page, 'Send')
  await title(page, 'Send')
  await page.getByLabel('Destination number').fill(`+1${secrets.number}`)
  await page
    .getByRole('radio', { name: 'Typed text' })
    .or(page.getByRole('button', { name: 'Typed text' }))
    .click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill(secrets.typedText)
  await page
    .getByRole('radio', { name: 'File' })
    .or(page.getByRole('button', { name: 'File', exact: true }))
    .click()
  const buffer = pdfOf([[secrets.fileContent]])
  await page
    .getByLabel('Document', { exact: true })
    .setInputFiles({ name: secrets.fileName, mimeType: 'application/pdf', buffer })
  await page.getByRole('region', { name: 'Preview' }).getByText('1 page').waitFor()
}

const sealed = `new Promise((done) => {
  const request = indexedDB.open('faxdeck')
  request.onsuccess = () => {
    const count = request.result.transaction('sealed').objectStore('sealed').count()
    count.onsuccess = () => (request.result.close(), done(count.result))
  }
})`

describe.skipIf(!browserPath)('a draft that was not sent', () => {
  const profile = mkdtempSync(join(tmpdir(), 'faxdeck-profile-'))
  let gateway: GatewayProcess

  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(async () => {
    await gateway.remove()
    rmSync(profile, { recursive: true, force: true })
  })

  it('survives a reload, and leaves nothing readable in the browser or on its disk', async () => {
    const context = await chromium.launchPersistentContext(profile, { executablePath: browserPath, args: browserFlags })
    const page = context.pages()[0] ?? (await context.newPage())
    await returnToConsole(page, gateway)
    await page.evaluate(`localStorage.setItem('marker', '${marker}')`)
    await writeDraft(page)
    // The half of the key, the words, the file.
    await expect.poll(() => page.evaluate<number>(sealed), { timeout: 15_000 }).toBe(3)
    await page.waitForTimeout(1000)
    const stored = await page.evaluate<string>(readStorages)
    expect(foundIn(stored, { ...secrets, marker })).toEqual(['marker'])
    expect(stored).toContain('key that can be read out: false')

    await page.reload()
    await page.getByText('Draft restored').waitFor()
    expect(await page.getByLabel('Destination number').inputValue()).toContain('0187')
    await page.getByText(secrets.fileName).first().waitFor()
    await page.waitForTimeout(1000)
    await context.close()
    expect(foundInFiles(profile, secrets)).toEqual([])
    expect(foundInFiles(profile, { marker })).not.toEqual([])
  })
})
