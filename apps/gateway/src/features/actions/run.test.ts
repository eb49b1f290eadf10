import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { type Action, runInTime } from './run.ts'
import { oneAtATime } from '../../base/db/one-at-a-time.ts'
import { runProgram } from './program.ts'

const never = new AbortController().signal
const script = (text: string) => [process.execPath, '-e', text] as const
const action = (run: Action['run']): Action => ({ id: 'made', label: 'Made', about: 'For this test.', run })
const log = { error: () => undefined }

describe('a program', () => {
  it('gets no input, no shell and nothing of our environment', async () => {
    const text = `process.stdin.on('data', () => {}).on('end', () => console.log(Object.keys(process.env).sort().join(), process.argv[1]))`
    const { code, stdout } = await runProgram([...script(text), '$(id); *'], never, 1000)
    expect([code, stdout]).toEqual([0, 'LC_ALL,PATH $(id); *\n'])
  })

  it('may write without end: the end is kept', async () => {
    const text = `process.stdout.write('a'.repeat(1e6) + 'end'); process.stderr.write('why'); process.exitCode = 3`
    const { code, stdout, stderr } = await runProgram(script(text), never, 10)
    expect([code, stdout, stderr]).toEqual([3, 'aaaaaaaend', 'why'])
  })

  it('that is not there is said to be so', async () => {
    expect(await runProgram(['faxdeck-no-such-program'], never, 10)).toEqual({
      code: 127,
      stdout: '',
      stderr: 'This machine does not have the program faxdeck-no-such-program.\n',
    })
  })

  it('is killed when its time is up', async () => {
    const limit = new AbortController()
    const running = runProgram(script('setInterval(() => {}, 1000)'), limit.signal, 10)
    limit.abort()
    expect((await running).code).toBe(137)
  })
})

describe('a run', () => {
  it('ends in time, also when the action goes on', async () => {
    const seen: boolean[] = []
    const deaf = action(async (signal) => {
      signal.addEventListener('abort', () => seen.push(true))
      await delay(60_000, undefined, { ref: false })
      return { code: 0, stdout: '', stderr: '' }
    })
    expect(await runInTime(deaf, log, 20)).toMatchObject({ code: 124, stderr: 'Timed out after 0.02 seconds.\n' })
    expect(seen).toEqual([true])
  })

  it('that breaks off reports the kind of the fault and not its words', async () => {
    const error = vi.fn()
    const broken = action(() => Promise.reject(new TypeError('secret of a patient')))
    const output = await runInTime(broken, { error })
    expect(output).toMatchObject({ code: 1, stdout: '' })
    expect(output.stderr).toContain('(TypeError)')
    expect(output.stderr).not.toContain('secret')
    expect(error).toHaveBeenCalledOnce()
  })

  it('keeps the end of what was written', async () => {
    const loud = action(async () => ({ code: 0, stdout: `${'x'.repeat(20_000)}!`, stderr: 'e'.repeat(9000) }))
    const { stdout, stderr } = await runInTime(loud, log)
    expect([stdout.length, stdout.endsWith('x!'), stderr.length]).toEqual([10_000, true, 4000])
  })
})

onEachDatabase((open, another) => {
  it('one piece of work runs at a time, over all processes that can share the database', async () => {
    const database = await open()
    const shared = database.engine === 'postgres'
    const [here, there] = [
      oneAtATime(database, 'action'),
      oneAtATime(shared ? await another(database) : database, 'action'),
    ]
    const gate = Promise.withResolvers<true>()
    const begun = Promise.withResolvers<true>()
    const first = here(async () => {
      begun.resolve(true)
      await gate.promise
      return 'first'
    })
    await begun.promise
    expect(await here(async () => 'second')).toBeUndefined()
    if (shared) expect(await there(async () => 'third')).toBeUndefined()
    gate.resolve(true)
    expect(await first).toBe('first')
    await expect(here(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    expect(await there(async () => 'after')).toBe('after')
  })
})
