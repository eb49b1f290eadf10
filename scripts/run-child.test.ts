import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runChild, runQuietly } from './run-child.mjs'

const cwd = tmpdir()
const node = (script: string) => runQuietly(process.execPath, ['-e', script], { cwd })

describe('running a program', () => {
  it('answers its exit code and what it printed on both streams', async () => {
    const { code, output } = await node(`console.log('out'); console.error('err'); process.exitCode = 3`)
    expect(code).toBe(3)
    expect(output.split('\n').sort()).toEqual(['', 'err', 'out'])
  })

  it('reports a program that was killed as a shell does', async () => {
    const { code } = await node(`process.kill(process.pid, 'SIGKILL')`)
    expect(code).toBe(128 + 9)
  })

  it('says in a sentence that a program is missing', async () => {
    await expect(runChild('faxdeck-no-such-program', [], { cwd })).rejects.toThrow(
      'faxdeck-no-such-program could not be started (ENOENT).',
    )
  })

  it('leaves no signal handlers behind', async () => {
    const before = process.listenerCount('SIGTERM')
    await node('')
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})

describe('stopping', () => {
  // A child that counts the signals it gets and ends, a while after the first, with that count as its exit code.
  const counting = `let seen = 0
    process.on('SIGTERM', () => { seen += 1; setTimeout(() => process.exit(40 + seen), 150) })
    console.log('ready')
    setInterval(() => {}, 1000)`

  const parent = (options: string) => `
    import { runChild } from ${JSON.stringify(new URL('./run-child.mjs', import.meta.url).href)}
    const { code } = await runChild(process.execPath, ['-e', ${JSON.stringify(counting)}], { cwd: '.', ${options} })
    process.exit(code)`

  it.each(['ownGroup: true', 'ownGroup: false'])('passes a repeated signal on once (%s)', async (options) => {
    const script = spawn(process.execPath, ['--input-type=module', '-e', parent(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(script.stdout, 'data')
    script.kill('SIGTERM')
    setTimeout(() => script.kill('SIGTERM'), 50)
    const [code] = await once(script, 'exit')
    expect(code).toBe(41)
  })
})
