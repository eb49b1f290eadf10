import { bannerOf } from './start/banner.ts'
import { compose, type Gateway, rows } from './compose.ts'
import { secretNames } from '@faxdeck/settings'
import type { Logger } from 'pino'
import { listen } from './start/listen.ts'
import { createLog } from './start/log.ts'
import { notifier, type Notify } from './start/notify.ts'
import { consolePath } from './base/http/console.ts'
import { StartProblem } from './base/settings/start-problem.ts'

/** What a supervisor reads as "start me again": EX_TEMPFAIL of sysexits.h. */
const restartCode = 75
const longestStopMs = 9500

function openLog(): Logger {
  return createLog({
    secrets: secretNames(rows),
    human: process.stdout.isTTY,
    write: (text) => void process.stdout.write(text),
  })
}

function stopper(gateway: Gateway, log: Logger, notify: Notify): (code: number) => void {
  let stopping = false
  return (code) => {
    if (stopping) process.exit(code === 0 ? 130 : code)
    stopping = true
    notify('STOPPING=1', 'STATUS=Stopping')
    const late = setTimeout(() => {
      log.warn('Stopping took too long. Unfinished work continues at the next start.')
      process.exit(code)
    }, longestStopMs)
    gateway.stop().then(
      () => {
        clearTimeout(late)
        process.exit(code)
      },
      (error: unknown) => {
        log.error({ err: error }, 'The gateway did not stop cleanly.')
        process.exit(1)
      },
    )
  }
}

async function run(): Promise<void> {
  // Whatever is written is for this user alone.
  process.umask(0o077)
  const log = openLog()
  const notify = notifier(process.env, log)
  notify('STATUS=Starting. After an upgrade or a restore, a large database can take minutes.')
  let stop: (code: number) => void = () => undefined
  const gateway = await compose({ env: process.env, log, onRestart: () => setImmediate(() => stop(restartCode)) })
  stop = stopper(gateway, log, notify)
  const place = gateway.settings.current()
  const address = await listen(gateway.app, place, process.env).catch(async (error: unknown) => {
    await gateway.stop()
    throw error
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(0))
  gateway.start()
  const url = address + (place.base_path ?? '') + consolePath
  notify('READY=1', `STATUS=Serving ${url}`)
  console.log(bannerOf({ url, key: gateway.key, isTerminal: process.stdout.isTTY, ...gateway.outbound() }))
}

run().catch((error: unknown) => {
  const sentences = error instanceof StartProblem ? error.sentences : undefined
  for (const sentence of sentences ?? []) console.error(sentence)
  if (!sentences) console.error(error)
  process.exit(1)
})
