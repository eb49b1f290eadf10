import type { Emulator } from '../../packages/provider-kit/src/emulator/index.ts'
import { emulate } from '../../packages/providers/src/phaxio/emulator.ts'

const latencyMs = 50

/** Where the gateway is, to begin with; afterwards only what was taken. */
export type Question = { gatewayUrl: string } | 'taken'
export interface Answer {
  env: Record<string, string>
  /** Every fax it has taken, in order: its number, and when, in milliseconds since 1970. */
  taken: { to: string; at: number }[]
}

let emulator: Emulator | undefined

async function answer(question: Question): Promise<Answer> {
  if (question !== 'taken') {
    emulator = await emulate({ gatewayUrl: question.gatewayUrl, latencyMs, stepMs: latencyMs })
  }
  const taken = (emulator?.faxes ?? []).map(({ to, takenAt }) => ({ to, at: takenAt.getTime() }))
  return { env: { ...emulator?.env }, taken }
}

process.once('disconnect', () => process.exit(0))
process.on('message', (question: Question) => {
  void answer(question).then(
    (said) => process.send?.(said),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
