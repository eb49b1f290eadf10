import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReplyOf, Routes } from '@faxdeck/contract'
import type { LineTestStep } from '@faxdeck/provider-kit'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'

type State = ReplyOf<Routes['getLineTest']>

type Parts = Pick<GatewayContext, 'providers' | 'documents' | 'events' | 'now' | 'log'>

/** A call rings for up to five minutes, and a page takes less than two. */
const longestMs = 8 * 60_000
const paper = { paper: 'letter', resolution: 'fine' } as const

const never: State = {
  provider: null,
  running: false,
  started_at: null,
  finished_at: null,
  steps: [],
  passed: null,
  verdict: null,
}

/** The test of the line that sends: one at a time, and its last outcome until the next start. */
function lineTestHandlers(parts: Parts) {
  const { providers, events, now } = parts
  let state = never

  const note = (step: LineTestStep) => {
    const others = state.steps.filter(({ name }) => name !== step.name)
    const at = state.steps.findIndex(({ name }) => name === step.name)
    state = { ...state, steps: others.toSpliced(at < 0 ? others.length : at, 0, step) }
  }
  const run = async (keyId: string): Promise<void> => {
    const facts = { key_id: keyId, action: 'line-test' }
    const result = await tryLine(parts, note).catch((error: unknown) => {
      parts.log.error({ err: error }, 'The line test failed unexpectedly.')
      return { passed: false, verdict: 'The test stopped early. See the gateway log for the reason.' }
    })
    state = { ...state, ...result, running: false, finished_at: now().toISOString() }
    await events.actionEnded({ ...facts, code: result.passed ? 0 : 1 })
  }
  return {
    getLineTest: () => state,
    startLineTest: async ({ caller }) => {
      if (state.running) return state
      const provider = providers.outbound()
      if (!providers.line(provider.id).test) {
        throw new Problem('conflict', `${provider.name} has no line test. Send a test page instead.`)
      }
      state = { ...never, provider: provider.id, running: true, started_at: now().toISOString() }
      await events.actionStarted({ key_id: caller.keyId, action: 'line-test' })
      void run(caller.keyId).catch((error: unknown) => {
        parts.log.error({ err: error }, 'The end of the line test could not be recorded.')
      })
      return state
    },
  } satisfies Partial<Handlers>
}

async function tryLine({ providers, documents, now }: Parts, onStep: (step: LineTestStep) => void) {
  const line = providers.line(providers.outbound().id)
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-line-test-'))
  try {
    const tiffPath = join(folder, 'page.tiff')
    const page = Buffer.from(pageText(now()))
    await documents.toTiff(page, tiffPath, paper)
    const shown = await documents.page(page, 1, paper)
    const isSamePage = async (tiff: Uint8Array) => {
      const seen = await documents.page(tiff, 1, paper)
      return shown !== undefined && seen !== undefined && Buffer.from(seen.png).equals(shown.png)
    }
    const signal = AbortSignal.timeout(longestMs)
    const result = await line.test?.({ tiffPath, isSamePage, onStep, signal })
    return result ?? { passed: false, verdict: 'The provider was changed before the test began.' }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const pageText = (at: Date) =>
  `Faxdeck line test\n\n${at.toISOString()}\n\nThis page was sent to our own number.\n\n${'The quick brown fox jumps over the lazy dog 0123456789.\n'.repeat(12)}`

/** Tries the line that sends with a call to its own number. */
export const createLineTest = (context: GatewayContext) =>
  ({ name: 'line-test', routes: lineTestHandlers(context) }) satisfies Feature
