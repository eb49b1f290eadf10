import { type ChildProcess, spawn } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { findProgram } from '../../scripts/find-browser.mjs'
import { waitFor } from './wait.ts'

/** An element of the page, as the browser refers to it. */
type ElementReference = Record<string, string>

/** A browser that is not Chromium, driven by its own remote protocol as a person would drive it. */
export interface OtherBrowser {
  go: (url: string) => Promise<void>
  /** Calls a function of the page. @param declaration its source; the arguments are JSON */
  call: (declaration: string, ...args: unknown[]) => Promise<unknown>
  /** @param declaration the source of a function that returns one element */
  click: (declaration: string, ...args: unknown[]) => Promise<void>
  type: (text: string) => Promise<void>
  chooseFile: (path: string, declaration: string, ...args: unknown[]) => Promise<void>
  /** Uncaught errors and errors on the page's console, as far as the protocol tells them. */
  faults: string[]
  close: () => Promise<void>
}

const findMiniBrowser = () => globSync('/usr/lib/*/webkit2gtk-4.*/MiniBrowser')[0]
const findWebKit = () => findProgram('WebKitWebDriver') && findProgram('Xvfb') && findMiniBrowser()

/** Those that this machine has, by name. */
export const otherBrowsers: readonly { name: string; open: (() => Promise<OtherBrowser>) | undefined }[] = [
  { name: 'Firefox', open: findProgram('firefox-esr') ? openFirefox : undefined },
  { name: 'WebKit', open: findWebKit() ? openWebKit : undefined },
]

const keysOf = (text: string) =>
  Array.from(text).flatMap((value) => [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ])

interface Evaluated {
  result: { sharedId?: string; value?: unknown }
  exceptionDetails?: { text: string }
}

/** WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), which Firefox speaks without a program between. */
async function openFirefox(): Promise<OtherBrowser> {
  const profile = mkdtempSync(join(tmpdir(), 'faxdeck-firefox-'))
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0', 'about:blank']
  const program = spawn('firefox-esr', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, HOME: profile },
  })
  const address = await lineOf(program.stderr, /WebDriver BiDi listening on (ws:\S+)/)
  const socket = new WebSocket(`${address}/session`)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error('Firefox did not accept the connection.')))
  })

  const faults: string[] = []
  const waiting = new Map<number, { resolve: (result: never) => void; reject: (error: Error) => void }>()
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data))
    if (message.method === 'log.entryAdded' && message.params.level === 'error') faults.push(message.params.text)
    const asked = waiting.get(message.id)
    waiting.delete(message.id)
    if (message.type === 'error') asked?.reject(new Error(`${message.error}: ${message.message}`))
    else asked?.resolve(message.result as never)
  })
  let last = 0
  const ask = <Result>(method: string, params: object): Promise<Result> =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject })
      socket.send(JSON.stringify({ id: last, method, params }))
    })

  await ask('session.new', { capabilities: {} })
  await ask('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await ask<{ contexts: [{ context: string }] }>('browsingContext.getTree', {})
  const { context } = contexts[0]
  await ask('browsingContext.setViewport', { context, viewport: { width: 1360, height: 850 } })
  const evaluate = async (declaration: string, args: unknown[]) => {
    const functionDeclaration = `() => (${declaration})(...${JSON.stringify(args)})`
    const { result, exceptionDetails } = await ask<Evaluated>('script.callFunction', {
      functionDeclaration,
      target: { context },
      awaitPromise: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.text)
    return result
  }
  const elementOf = async (declaration: string, args: unknown[]): Promise<ElementReference> => {
    const { sharedId } = await evaluate(declaration, args)
    if (!sharedId) throw new Error(`Nothing on the page for ${JSON.stringify(args)}.`)
    return { sharedId }
  }
  const act = (source: object) => ask<undefined>('input.performActions', { context, actions: [source] })
  return {
    faults,
    go: (url) => ask('browsingContext.navigate', { context, url, wait: 'complete' }),
    call: async (declaration, ...args) => (await evaluate(declaration, args)).value,
    click: async (declaration, ...args) => {
      const element = await elementOf(declaration, args)
      const origin = { type: 'element', element }
      const actions = [
        { type: 'pointerMove', x: 0, y: 0, origin },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ]
      await act({ type: 'pointer', id: 'mouse', actions })
    },
    type: (text) => act({ type: 'key', id: 'keyboard', actions: keysOf(text) }),
    chooseFile: async (path, declaration, ...args) =>
      ask<undefined>('input.setFiles', { context, element: await elementOf(declaration, args), files: [path] }),
    close: async () => {
      socket.close()
      await ended(program)
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** WebDriver (https://www.w3.org/TR/webdriver2/), on a screen that nobody sees. */
async function openWebKit(): Promise<OtherBrowser> {
  const screen = spawn('Xvfb', ['-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', '1400x1000x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  const display = `:${await lineOf(screen.stdio[3] as Readable, /^(\d+)$/)}`
  const home = mkdtempSync(join(tmpdir(), 'faxdeck-webkit-'))
  const port = await freePort()
  const env = {
    ...process.env,
    DISPLAY: display,
    HOME: home,
    XDG_RUNTIME_DIR: home,
    // Its sandbox cannot be made as root; it opens our own page alone.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  }
  const program = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env })
  const at = `http://127.0.0.1:${port}`
  const ask = async <Result>(path: string, body?: object): Promise<Result> => {
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const answer = await fetch(at + path, init)
    const { value } = (await answer.json()) as { value: Result & { error?: string; message?: string } }
    if (!answer.ok) throw new Error(`${value.error}: ${value.message}`)
    return value
  }
  await waitFor(
    'the driver of WebKit',
    async () => (await fetch(`${at}/status`).catch(() => undefined))?.ok || undefined,
  )
  const options = { binary: findMiniBrowser(), args: ['--automation'] }
  const made = await ask<{ sessionId: string }>('/session', {
    capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
  })
  const session = `/session/${made.sessionId}`
  await ask(`${session}/window/rect`, { x: 0, y: 0, width: 1360, height: 950 })
  const evaluate = (declaration: string, args: unknown[]) =>
    ask<object | null>(`${session}/execute/sync`, { script: `return (${declaration})(...arguments)`, args })
  const elementOf = async (declaration: string, args: unknown[]): Promise<string> => {
    const [id]: unknown[] = Object.values((await evaluate(declaration, args)) ?? {})
    if (typeof id !== 'string') throw new Error(`Nothing on the page for ${JSON.stringify(args)}.`)
    return id
  }
  return {
    faults: [],
    go: (url) => ask(`${session}/url`, { url }),
    call: (declaration, ...args) => evaluate(declaration, args),
    click: async (declaration, ...args) => ask(`${session}/element/${await elementOf(declaration, args)}/click`, {}),
    type: (text) => ask(`${session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions: keysOf(text) }] }),
    chooseFile: async (path, declaration, ...args) =>
      ask(`${session}/element/${await elementOf(declaration, args)}/value`, { text: path }),
    close: async () => {
      await fetch(at + session, { method: 'DELETE' }).catch(() => undefined)
      await ended(program)
      await ended(screen)
      rmSync(home, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** What a pattern captures of the first line that has it. @throws {Error} when the stream ends before */
async function lineOf(stream: Readable, pattern: RegExp): Promise<string> {
  for await (const line of createInterface({ input: stream })) {
    const [, found] = pattern.exec(line) ?? []
    if (found !== undefined) {
      stream.resume()
      return found
    }
  }
  throw new Error(`It ended without a line like ${pattern}.`)
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function ended(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return
  const end = new Promise((resolve) => program.once('close', resolve))
  program.kill()
  await end
}
