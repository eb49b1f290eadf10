import { describe, expect, it } from 'vitest'
import { planCall } from './destinations.ts'

const plan = (to: string, earlierCalls = 0) => planCall(to, 2, () => earlierCalls)

describe('planCall', () => {
  it.each([
    ['+15555550123', { ending: 'delivered', seconds: 2 }],
    ['+15555550100', { ending: 'busy', seconds: 2 }],
    ['+15555550101', { ending: 'no_answer', seconds: 2 }],
    ['+15555550103', { ending: 'partial', seconds: 2 }],
    ['+15555550104', { ending: 'delivered', seconds: 10 }],
    ['+15555550106', { ending: 'unknown', seconds: 2 }],
    ['+4930123456', { ending: 'delivered', seconds: 2 }],
  ])('plans a call to %s', (to, expected) => {
    expect(plan(to)).toEqual(expected)
  })

  it('refuses the bad number', () => {
    expect(() => plan('+15555550102')).toThrow(expect.objectContaining({ kind: 'bad_number' }))
  })

  it('is busy twice, then delivers', () => {
    expect([0, 1, 2, 3].map((earlier) => plan('+15555550105', earlier).ending)).toEqual([
      'busy',
      'busy',
      'delivered',
      'delivered',
    ])
  })

  it('knows magic only behind +1555555', () => {
    expect(plan('+15551110100').ending).toBe('delivered')
    expect(plan('+155555501001').ending).toBe('delivered')
  })
})
