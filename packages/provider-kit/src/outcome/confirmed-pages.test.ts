import { describe, expect, it } from 'vitest'
import { confirmedPagesFirst } from './confirmed-pages.ts'
import { failureKinds, type StatusUpdate } from '../provider.ts'

const failed = (change: Partial<StatusUpdate>): StatusUpdate => ({
  providerId: '1',
  state: 'failed',
  sentence: 'The line was busy.',
  ...change,
})

describe('a failure with confirmed pages', () => {
  it.each(failureKinds.filter((kind) => kind !== 'uncertain'))('is partial, also when it is called %s', (kind) => {
    const said = confirmedPagesFirst(failed({ kind, pagesConfirmed: 2, again: 'as_it_is' }))
    expect([said.kind, said.again]).toEqual(['partial', undefined])
  })

  it('says first how much went', () => {
    const busy = { kind: 'busy', pagesConfirmed: 1 } as const
    expect(confirmedPagesFirst(failed(busy)).sentence).toBe(
      'The transmission was cut off after 1 page. The line was busy.',
    )
    const { sentence: _, ...mute } = failed({ pagesConfirmed: 2 })
    expect(confirmedPagesFirst(mute)).toMatchObject({ sentence: 'The transmission was cut off after 2 pages.' })
  })

  it.each<Partial<StatusUpdate>>([
    { kind: 'busy', pagesConfirmed: 0 },
    { kind: 'busy' },
    { state: 'delivered', pagesConfirmed: 2 },
    { kind: 'uncertain', pagesConfirmed: 1 },
  ])('leaves %j as it is', (change) => {
    expect(confirmedPagesFirst(failed(change))).toEqual(failed(change))
  })
})
