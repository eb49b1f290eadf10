import { describe, expect, it } from 'vitest'
import { createLog } from './log.ts'

function logInto(human: boolean) {
  const lines: string[] = []
  const log = createLog({
    secrets: ['phaxio_api_key', 'PHAXIO_API_KEY'],
    human,
    write: (text) => void lines.push(text),
  })
  return { log, lines }
}

describe('the log', () => {
  it('is one JSON object a line, with its time', () => {
    const { log, lines } = logInto(false)
    log.warn({ keys: ['a'] }, 'Something to look at.')
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      level: 40,
      time: expect.stringMatching(/Z$/),
      keys: ['a'],
      msg: 'Something to look at.',
    })
  })

  it('blacks out secrets by name, also one level down, and the keys of callers', () => {
    const { log, lines } = logInto(false)
    log.info(
      { phaxio_api_key: 's1', env: { PHAXIO_API_KEY: 's2' }, headers: { authorization: 's3', 'x-api-key': 's4' } },
      'x',
    )
    expect(lines[0]).not.toMatch(/s[1-4]/)
    expect(lines[0]).toContain('***')
  })

  it('is plain on a terminal: the clock, the sentence, what went wrong', () => {
    const { log, lines } = logInto(true)
    log.info({ provider: 'sip', pid: 7 }, 'The line is open.')
    log.error({ err: new Error('no socket') }, 'It failed.')
    expect(lines[0]).toMatch(/^\d\d:\d\d:\d\d The line is open\. provider=sip\n$/)
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d Error: It failed\.\n {2}Error: no socket/)
  })
})
