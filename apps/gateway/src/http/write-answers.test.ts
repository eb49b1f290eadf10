import { expect, it } from 'vitest'
import { z } from 'zod'
import { answerCompiler } from './write-answers.ts'

const compile = () =>
  answerCompiler({ schema: z.object({ n: z.number() }), method: 'GET', url: '/', httpStatus: '200' })

/** An answer that counts how often it is looked at. */
function counted() {
  let looks = 0
  const answer = {
    get n() {
      looks++
      return 1
    },
  }
  return { answer, looks: () => looks }
}

it('writes a frozen answer once, however many ask for it', () => {
  const write = compile()
  const { answer, looks } = counted()
  const texts = [write(Object.freeze(answer)), write(answer)]
  const once = looks()
  texts.push(write(answer))
  expect([texts, looks()]).toEqual([['{"n":1}', '{"n":1}', '{"n":1}'], once])
})

it('writes an answer that may change as it is each time', () => {
  const write = compile()
  const answer = { n: 1 }
  const before = write(answer)
  answer.n = 2
  expect([before, write(answer)]).toEqual(['{"n":1}', '{"n":2}'])
})

it('refuses an answer of the wrong shape, frozen or not', () => {
  const write = compile()
  expect(() => write({ n: 'one' })).toThrow()
  expect(() => write(Object.freeze({ n: 'one' }))).toThrow()
})
