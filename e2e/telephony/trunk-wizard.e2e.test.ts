import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor } from '../harness/wait.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine } from './managed-line.ts'

const program = findAsterisk()
// Three lines, each with a call of its own: two minutes.
const long = process.env.FAXDECK_LONG !== undefined

describe.skipIf(!program || !long)('the line test of a SIP trunk', () => {
  const lines: ManagedLine[] = []
  const begin = async (
    ...args: Parameters<typeof ManagedLine.start> extends [unknown, ...infer Rest] ? Rest : never
  ) => {
    const line = await ManagedLine.start(program as AsteriskProgram, ...args)
    lines.push(line)
    return line
  }
  const testOf = async (line: ManagedLine) => {
    await line.gateway.client.startLineTest({})
    return waitFor(
      'the end of the line test',
      async () => {
        const test = await line.gateway.client.getLineTest({})
        return test.running ? undefined : test
      },
      150,
    )
  }
  let carries: ManagedLine
  let refuses: ManagedLine
  let wrong: ManagedLine

  beforeAll(async () => {
    ;[carries, refuses, wrong] = await Promise.all([
      begin(),
      begin({}, { t38: false }),
      begin({ trunk_password: 'not the password' }),
    ])
  })
  afterAll(async () => {
    for (const line of lines) await line.stop()
  })

  it('finds T.38, compares the page, and leaves no fax behind', async () => {
    const { steps, ...test } = await testOf(carries)
    expect(test, JSON.stringify(steps)).toMatchObject({
      passed: true,
      verdict: expect.stringMatching(/^Your trunk carries T\.38; faxes go as data at [\d,]+\.$/) as string,
    })
    expect(steps.map(({ name }) => name)).toEqual(['asterisk', 'registration', 'options', 'call', 'page'])
    expect(await carries.gateway.client.listInbound({ query: {} })).toEqual([])
  })

  it('says that a trunk refuses T.38, what goes instead, and how good the way is', async () => {
    const { steps, ...test } = await testOf(refuses)
    expect(test, JSON.stringify(steps)).toMatchObject({
      passed: true,
      verdict: expect.stringMatching(/^Your trunk refuses T\.38; faxes go as audio at [\d,]+\.$/) as string,
    })
    expect(steps.find(({ name }) => name === 'call')?.detail).toMatch(/Audio: 0\.0% of packets lost, jitter \d+ ms\.$/)
  })

  it('says that the password is wrong, and calls nobody', async () => {
    const test = await testOf(wrong)
    expect(test.passed).toBe(false)
    expect(test.verdict).toContain('refuses the user name or the password')
    expect(test.steps.map(({ name, state }) => [name, state])).toEqual([
      ['asterisk', 'passed'],
      ['registration', 'failed'],
    ])
  })
})
