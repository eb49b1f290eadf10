import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { demoScript } from './commands/installation/demo.ts'
import { everywhere } from './command.ts'
import { commands } from './commands.ts'
import { bashCompletion, fishCompletion, zshCompletion } from './commands/shell/completion-script.ts'
import { keyOf } from './calls/connect.ts'
import { commandHelp } from './help.ts'
import { printable } from './terminal/output.ts'

describe('every command', () => {
  it('explains itself in lines that fit, with an example that it understands', () => {
    for (const row of commands) {
      const help = commandHelp(row)
      expect(help).toContain(`Usage: faxdeck ${row.name}`)
      for (const line of help.split('\n')) {
        if (!line.includes('faxdeck ')) expect(line.length, line).toBeLessThanOrEqual(104)
      }
      for (const example of row.examples) {
        expect(example).toContain(`faxdeck ${row.name}`)
        for (const [, option = ''] of example.matchAll(/ --([a-z-]+)/g)) {
          expect([...Object.keys(row.options), ...Object.keys(everywhere)], example).toContain(option)
        }
      }
    }
  })

  it('leaves to the options of every command their names', () => {
    const taken = commands.flatMap((row) => Object.keys(row.options)).filter((name) => Object.hasOwn(everywhere, name))
    expect(taken).toEqual([])
    expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
  })
})

it('runs from its sources where no bundle of them is', () => {
  const sources = new URL('./command-line.ts', import.meta.url).href
  const script = `import { runCommandLine } from '${sources}'
    process.exitCode = await runCommandLine(['keys', '--help'], {})`
  expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })).toContain(
    'rotate',
  )
})

it('shows text from outside without what would move the cursor', () => {
  expect(printable('a\u001b[2Jb\r\nc\u009bd')).toBe('a\uFFFD[2Jb c\uFFFDd')
})

it('prefers the key that is given to the one of the environment', () => {
  const env = { FAXDECK_API_KEY: 'from-the-environment' }
  expect(keyOf('given', env, 'https://fax.example', '/nowhere')).toBe('given')
  expect(keyOf(undefined, env, 'https://fax.example', '/nowhere')).toBe('from-the-environment')
  expect(keyOf(undefined, {}, 'http://127.0.0.1:8080', '/nowhere')).toBeUndefined()
})

it('says what to run for the demo where the sources of the console are not installed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faxdeck-installed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  expect(() => demoScript(folder)).toThrow('run npm run demo in it')
  const checkout = join(import.meta.dirname, '../../..')
  expect(demoScript(checkout)).toBe(join(checkout, 'scripts/demo.mjs'))
})

const has = (shell: string) => {
  try {
    execFileSync(shell, ['-c', 'true'])
    return true
  } catch {
    return false
  }
}

describe('completion', () => {
  const offered = (...words: string[]) => {
    const typed = `COMP_WORDS=(faxdeck ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _faxdeck`
    const script = `${bashCompletion(commands)}\n${typed}; echo "\${COMPREPLY[*]}"`
    return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).trim().split(' ')
  }

  it.skipIf(!has('bash'))('offers commands, options and their choices in bash', () => {
    expect(offered('st')).toEqual(['status'])
    expect(offered('res')).toEqual(['resend', 'restore'])
    expect(offered('resend', '--wa')).toEqual(['--wait'])
    expect(offered('keys', '')).toEqual(['list', 'create', 'rotate', 'revoke'])
    expect(offered('keys', 'create', '--sc')).toEqual(['--scope'])
    expect(offered('send', '--w')).toEqual(['--wait', '--within'])
    expect(offered('jobs', '--status', 'F')).toEqual(['FAILED'])
    expect(offered('send', 'letter.p')).toEqual([''])
  })

  it.skipIf(!has('fish'))('offers the same in fish', () => {
    const offeredByFish = (...words: string[]) => {
      const script = `${fishCompletion(commands)}\n__faxdeck_next faxdeck ${words.map((word) => `'${word}'`).join(' ')}`
      return execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(offeredByFish('keys')).toEqual(['list', 'create', 'rotate', 'revoke'])
    expect(offeredByFish('keys', 'create')).toContain('--scope')
    expect(offeredByFish('jobs', '--status')).toContain('FAILED')
    expect(offeredByFish()).toContain('status')
  })

  it.skipIf(!has('zsh'))('offers the same in zsh, word by word', () => {
    // What zsh's own functions do with the words needs a terminal; here they are told on lines.
    const offeredByZsh = (...words: string[]) => {
      const told = 'compdef() { :; }; compadd() { shift; print -l -- "$@" }'
      const typed = `words=(faxdeck ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _faxdeck`
      const script = `${told}\n${zshCompletion(commands)}\n${typed}`
      return execFileSync('zsh', ['-fc', script], { encoding: 'utf8' }).trim().split('\n')
    }
    expect(offeredByZsh('keys', '')).toEqual(['list', 'create', 'rotate', 'revoke'])
    expect(offeredByZsh('jobs', '--status', '')).toContain('FAILED')
    expect(offeredByZsh('st')).toContain('status')
  })
})
