import type { UncertainAttempt } from '@faxdeck/provider-kit'
import { expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { advance } from '../move/advance.ts'
import type { Move } from '../move/move.ts'

const uncertain = { sentence: 'Not known.', lookAgain: new Date('2026-03-01T12:00:05Z') }

onEachDatabase((open) => {
  it.each([
    ['that certainly failed', false, { kind: 'rejected', sentence: 'No.', to: 'failed' }],
    ['whose outcome is not known either', true, { to: 'uncertain', ...uncertain }],
  ] as const)('another attempt to the number %s: is it a rival of an uncertain one? %s', async (_, isRival, end) => {
    const made = makeLine()
    let facts: UncertainAttempt | undefined
    made.line.find = async (_id, _signal, handedOver) => {
      facts = handedOver
      return { taken: false }
    }
    const { context, submit, work, pass } = await faxDesk(await open(), made)
    const { id } = await submit()
    const other = await submit()
    await advance(context, other.id, { to: 'submitting', attemptId: 'other' })
    await advance(context, other.id, { ...end, attemptId: 'other' } satisfies Move)
    await advance(context, id, { to: 'submitting', attemptId: 'asked' })
    await advance(context, id, { to: 'uncertain', attemptId: 'asked', ...uncertain })
    pass(6000)
    while (facts === undefined && (await work())) continue
    expect(await facts?.hasRival()).toBe(isRival)
  })
})
