import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('provider-process.mjs', import.meta.url))

/** What the provider says of an account beside its subject. */
export type Account = Record<string, unknown>

export const clientId = 'faxdeck'
export const clientSecret = 'a secret of the client, long enough'

/**
 * Starts a real provider on this machine.
 * @param consoleUrl where it sends browsers back to
 * @param more its name: another one than the console's is another site for a browser; where it posts logout tokens
 */
export async function startProvider(
  accounts: Record<string, Account>,
  consoleUrl: string,
  { host = '127.0.0.1', logoutUrl }: { host?: string; logoutUrl?: string } = {},
) {
  const client = {
    client_id: clientId,
    client_secret: clientSecret,
    redirect_uris: [consoleUrl],
    post_logout_redirect_uris: [consoleUrl],
    ...(logoutUrl && { backchannel_logout_uri: logoutUrl, backchannel_logout_session_required: true }),
  }
  const env = { ...process.env, PROVIDER: JSON.stringify({ accounts, client, host }) }
  const child: ChildProcess = spawn(process.execPath, [program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  const complaints: string[] = []
  child.stderr?.on('data', (text: Buffer) => complaints.push(text.toString()))
  if (!child.stdout) throw new Error('The provider has no output.')
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The provider ended: ${complaints.join('')}`)
  })
  ended.catch(() => undefined)
  let issuer = ''
  for await (const line of lines) {
    if (!line.startsWith('http://')) continue
    issuer = line
    break
  }
  if (issuer === '') await ended
  return {
    issuer,
    stop: async () => {
      child.kill('SIGKILL')
      await ended.catch(() => undefined)
    },
  }
}

type Cookies = Map<string, string>

function keepCookies(cookies: Cookies, reply: Response): void {
  for (const each of reply.headers.getSetCookie()) {
    const [pair = ''] = each.split(';')
    const at = pair.indexOf('=')
    cookies.set(pair.slice(0, at), pair.slice(at + 1))
  }
}

const sent = (cookies: Cookies) => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/** The browser signs out at the provider itself, on its own page. */
export async function signOutAt(issuer: string, cookies: Cookies): Promise<void> {
  const page = await fetch(`${issuer}/session/end`, { headers: { cookie: sent(cookies), accept: 'text/html' } })
  keepCookies(cookies, page)
  const text = await page.text()
  const action = /<form[^>]*action="([^"]+)"/.exec(text)?.[1]
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1]
  if (action === undefined || xsrf === undefined) throw new Error(`${page.status} ${text}`)
  const body = new URLSearchParams({ xsrf, logout: 'yes' })
  const headers = { cookie: sent(cookies) }
  await fetch(new URL(action, issuer), { method: 'POST', body, headers, redirect: 'manual' })
}

/** A browser at the provider's pages: keeps cookies, fills in forms, and stops where it is sent to the console. */
export async function signInAt(
  start: string,
  login: string,
  consoleUrl: string,
  cookies: Cookies = new Map(),
): Promise<string> {
  let next: { url: string; form?: URLSearchParams } = { url: start }
  for (let step = 0; step < 20; step++) {
    const { url, form } = next
    const cookie = sent(cookies)
    const reply = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
      ...(form ? { method: 'POST', body: form } : {}),
    })
    keepCookies(cookies, reply)
    const location = reply.headers.get('location')
    const page = await reply.text()
    if (location !== null) {
      const target = new URL(location, url)
      if (target.href.startsWith(consoleUrl)) return target.search
      next = { url: target.href }
      continue
    }
    const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1]
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1]
    if (reply.status !== 200 || action === undefined || prompt === undefined) throw new Error(`${reply.status} ${page}`)
    next = { url: new URL(action, url).href, form: new URLSearchParams({ prompt, login, password: 'any' }) }
  }
  throw new Error('The provider never sent the browser back.')
}
