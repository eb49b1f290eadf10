import type { Emulator } from '../../packages/provider-kit/src/emulator/index.ts'
import { emulate } from '../../packages/providers/src/phaxio/emulator.ts'

const latencyMs = 50

/** Where the gateway is, to begin with; afterwards only how much there is. */
export type Question = { gatewayUrl: string } | 'count'
export interface Answer {
  env: Record<string, string>
  taken: number
  numbers: number
}

let emulator: Emulator | undefined

async function answer(question: Question): Promise<Answer> {
  if (question !== 'count') {
    emulator = await emulate({ gatewayUrl: question.gatewayUrl, latencyMs, stepMs: latencyMs })
  }
  const faxes = emulator?.faxes ?? []
  return { env: { ...emulator?.env }, taken: faxes.length, numbers: new Set(faxes.map(({ to }) => to)).size }
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
