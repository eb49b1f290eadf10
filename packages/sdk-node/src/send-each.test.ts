import { expect, it } from 'vitest'
import { GatewayError, PartialSendError, RefusedError } from './index.ts'
import { sendEach } from './send-each.ts'
import type { Fax } from './shapes.ts'

const badNumber = new RefusedError(400, { detail: 'Please enter a valid phone number', code: 'bad_number' })

/** Accepts every number except those with a problem; the numbers that were tried, with their keys. */
async function send(numbers: string[], problems: Record<string, Error>) {
  const tried: string[] = []
  const outcome = await sendEach(numbers, 'key', async (to, key) => {
    tried.push(key)
    const problem = problems[to]
    if (problem) throw problem
    return { id: `f-${to}`, to } as Fax
  }).catch((error: unknown) => error)
  return { tried, outcome }
}

it('keeps the faxes that were accepted when a number is refused, and goes on to the next', async () => {
  const { tried, outcome } = await send(['1', '2', '3'], { 2: badNumber })
  expect(tried).toEqual(['key:1', 'key:2', 'key:3'])
  expect(outcome).toBeInstanceOf(PartialSendError)
  expect(outcome).toMatchObject({
    faxes: [{ id: 'f-1' }, { id: 'f-3' }],
    failed: [{ to: '2', error: badNumber }],
    notTried: [],
    idempotencyKey: 'key',
    message: '2 of 3 faxes were accepted. 2: Please enter a valid phone number',
  })
})

it('stops where the next number would fail as well, and names those that were not tried', async () => {
  const { tried, outcome } = await send(['1', '2', '3'], { 2: new GatewayError(507, { code: 'storage_full' }) })
  expect(tried).toEqual(['key:1', 'key:2'])
  expect(outcome).toMatchObject({ faxes: [{ id: 'f-1' }], failed: [{ to: '2' }], notTried: ['3'] })
})

it('throws the problem itself when no fax was accepted', async () => {
  expect((await send(['1', '2'], { 1: badNumber, 2: badNumber })).outcome).toBe(badNumber)
})
