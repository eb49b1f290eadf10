import type { HealthStatus } from '@faxdeck/contract'
import { expect, it } from 'vitest'
import { noticesOf } from './desktop-notices.ts'

const health = (received: number, failed: number) =>
  ({ inbound_today: received, jobs: { recent_failures: failed } }) as HealthStatus

it('says how many faxes came and failed, and nothing of any of them', () => {
  expect(noticesOf(health(3, 1), health(4, 1))).toEqual([{ text: 'A fax was received', place: 'inbound' }])
  expect(noticesOf(health(3, 1), health(5, 3))).toEqual([
    { text: '2 faxes were received', place: 'inbound' },
    { text: '2 faxes could not be sent', place: 'jobs' },
  ])
})

it('says nothing when a day ends or failures grow old', () => {
  expect(noticesOf(health(12, 4), health(0, 2))).toEqual([])
})
