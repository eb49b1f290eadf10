import { afterEach, expect, it } from 'vitest'
import { currentVisit } from './visit.ts'

afterEach(() => history.replaceState(null, '', location.pathname))

it('a bookmarked list of jobs is the same place at each look, which React relies on', () => {
  history.replaceState(null, '', '#jobs?status=FAILED')
  expect(currentVisit()).toEqual({ place: 'jobs' })
  expect(currentVisit()).toBe(currentVisit())
})
