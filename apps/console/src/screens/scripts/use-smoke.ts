import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import type { Smoke } from './smoke.ts'

const clock = () => new Date().toTimeString().slice(0, 8)

/** Runs a test and keeps what it says. */
export function useSmoke(smoke: Smoke) {
  const [lines, setLines] = useState<readonly string[]>([])
  const say = (line: string) => setLines((before) => [...before, `${clock()}  ${line}`])
  const { run, busy, error } = useAction(
    async () => {
      setLines([])
      await smoke(say)
      say('PASS')
    },
    { refreshes: [['jobs', 'newest'], ['api-keys'], ['health-status']] },
  )
  return { lines, run: () => run(undefined), busy, error }
}
