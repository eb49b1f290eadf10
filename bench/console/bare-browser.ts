import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { browserFlags, browserPath } from '../../e2e/harness/browser.ts'
import { waitFor } from '../../e2e/harness/wait.ts'

/** What comes over the wire; an event has no id. */
interface Answer {
  id: number
  result?: Record<string, unknown>
  error?: { message: string }
}

type Send = (method: string, params?: object, session?: string) => Promise<Record<string, unknown>>

/**
 * A browser that nothing watches while it loads. A test driver has the developer tools look at every request, and each
 * look costs: a stack with its source positions alone some 40 ms of a first visit here.
 */
export interface BareBrowser {
  /**
   * Opens an address in a new window that has never seen it.
   * @param prepare a script that runs before the page's own and sets `window.usableAt`
   * @returns that moment, in milliseconds since the start of the navigation
   */
  visit: (address: string, prepare: string) => Promise<number>
  close: () => Promise<void>
}

/** The window of a person stands when they type an address; a new one still draws its own tabs and tools. */
const windowStandsMs = 1_500

export async function openBareBrowser(): Promise<BareBrowser> {
  if (!browserPath) throw new Error('There is no browser.')
  const profile = await mkdtemp(join(tmpdir(), 'faxdeck-bench-'))
  const flags = [...browserFlags, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const child = spawn(browserPath, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  let reported = ''
  child.stderr.on('data', (data) => (reported += String(data)))
  const address = await waitFor('the browser', async () => /DevTools listening on (\S+)/.exec(reported)?.[1])
  const { send, hangUp } = await connect(address)
  return {
    visit: (url, prepare) => visitIn(send, url, prepare),
    close: async () => {
      await send('Browser.close')
      hangUp()
      await ended
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Speaks the Chrome DevTools Protocol. */
async function connect(address: string): Promise<{ send: Send; hangUp: () => void }> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data)) as Answer
    if (error) waiting.get(id)?.reject(new Error(error.message))
    else waiting.get(id)?.resolve(result ?? {})
    waiting.delete(id)
  })
  let last = 0
  const send: Send = (method, params = {}, sessionId) => {
    const answer = Promise.withResolvers<Record<string, unknown>>()
    waiting.set((last += 1), answer)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return answer.promise
  }
  return { send, hangUp: () => socket.close() }
}

async function visitIn(send: Send, url: string, prepare: string): Promise<number> {
  const { browserContextId } = await send('Target.createBrowserContext')
  const window = { url: 'about:blank', browserContextId, width: 1360, height: 850 }
  const { targetId } = await send('Target.createTarget', window)
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const here = String(sessionId)
  // Without its domain enabled the page takes no script ahead of its own.
  await send('Page.enable', {}, here)
  await send('Page.addScriptToEvaluateOnNewDocument', { source: prepare }, here)
  await sleep(windowStandsMs)
  await send('Page.navigate', { url }, here)
  const usable = await waitFor('a usable page', async () => {
    const { result } = await send('Runtime.evaluate', { expression: 'window.usableAt' }, here)
    return (result as { value?: number }).value
  })
  await send('Target.disposeBrowserContext', { browserContextId })
  return usable
}
