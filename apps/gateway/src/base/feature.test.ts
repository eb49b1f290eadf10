import { routes } from '@faxdeck/contract'
import { expect, it } from 'vitest'
import { type Feature, handlersOf, workOf } from './feature.ts'

const answer = () => {
  throw new Error('Nobody calls.')
}
const all: Feature['routes'] = Object.fromEntries(Object.keys(routes).map((call) => [call, answer]))

it('the handlers of all features answer every call of the contract', () => {
  const { health, ...others } = all
  const handlers = handlersOf([
    { name: 'health', routes: { health } },
    { name: 'idle' },
    { name: 'rest', routes: others },
  ])
  expect(Object.keys(handlers).sort()).toEqual(Object.keys(routes).sort())
})

it('a call that no feature answers, or two do, is named', () => {
  const { health, ...others } = all
  const rest = { name: 'rest', routes: others }
  expect(() => handlersOf([rest])).toThrow('No feature answers the call health.')
  const both = [rest, { name: 'first', routes: { health } }, { name: 'second', routes: { health } }]
  expect(() => handlersOf(both)).toThrow('The call health is answered by two features: first and second.')
})

it('work of one kind is done by one feature', () => {
  const work = { fax: async () => undefined }
  expect(workOf([{ name: 'faxes', work }, { name: 'idle' }])).toEqual(work)
  expect(() =>
    workOf([
      { name: 'faxes', work },
      { name: 'others', work },
    ]),
  ).toThrow('kind fax is done by two features')
})
