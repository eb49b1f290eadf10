import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keepKey } from '../../api/key.ts'
import { demoWorld } from '../../demo/demo-world.ts'
import { catchUp } from '../../demo/lines/fake-line.ts'
import { addKey } from '../../demo/people/fake-keys.ts'
import { addEvent } from '../../demo/records/fake-logs.ts'
import { bootstrapKey, emptyWorld, type World } from '../../demo/world.ts'
import { answerFrom } from '../../testing/render-screen.tsx'
import { DemoShell } from './demo-shell.ts'

const prompt = 'faxdeck-demo$ '
const up = '\x1b[A'
const down = '\x1b[B'
const left = '\x1b[D'
const escape = '\x1b'
const parts = new RegExp(`${escape}\\[[?0-9;]*[A-Za-z]|[\\s\\S]`, 'g')

/** A shell on paper: rows as a terminal of 80 columns would show them. */
function shellIn(world: World = emptyWorld(), columns = 80) {
  answerFrom(world)
  keepKey(bootstrapKey)
  let written = ''
  const shell = new DemoShell({
    write: (text) => (written += text),
    clear: () => (written = ''),
    columns: () => columns,
  })
  shell.start()
  const rows = () => rowsOf(written, columns)
  const type = (data: string) => shell.feed(data)
  /** Runs a command; answers what it wrote. */
  const run = async (command: string) => {
    written = prompt
    type(`${command}\r`)
    await vi.waitFor(() => expect(rows().at(-1)).toBe(prompt.trimEnd()))
    return rows().slice(1, -1)
  }
  return { shell, type, run, rows, raw: () => written }
}

/** Plays text and the few controls that the shell uses onto rows. */
function rowsOf(text: string, columns: number): string[] {
  const rows: string[] = ['']
  let row = 0
  let column = 0
  for (const [part] of text.matchAll(parts)) {
    const count = Number(/\d+/.exec(part)?.[0] ?? 1)
    if (part === '\n') row += 1
    else if (part === '\r') column = 0
    else if (part.endsWith('A') && part.length > 1) row -= count
    else if (part.endsWith('C') && part.length > 1) column += count
    else if (part === '\x1b[J') rows.splice(row, rows.length, rows[row]?.slice(0, column) ?? '')
    else if (!part.startsWith('\x1b')) {
      if (column === columns) [row, column] = [row + 1, 0]
      const before = (rows[row] ?? '').padEnd(column)
      rows[row] = before.slice(0, column) + part + before.slice(column + 1)
      column += 1
    }
  }
  return Array.from({ length: rows.length }, (_, row) => (rows[row] ?? '').trimEnd())
}

describe('the demo shell', () => {
  it('says what it is, and lists its commands', async () => {
    const { run, rows } = shellIn()
    expect(rows().join(' ')).toContain('it never reaches a real one')
    const help = (await run('help')).join('\n')
    for (const name of [
      'help',
      'ls',
      'cat FILE',
      'clear',
      'whoami',
      'date',
      'version',
      'status',
      'health',
      'jobs',
      'job ID',
      'inbox',
      'send NUMBER FILE',
      'keys',
      'logs',
      'exit',
    ]) {
      expect(help).toContain(`  ${name} `)
    }
  })

  it('knows its own files and no others', async () => {
    const { run } = shellIn()
    expect((await run('ls')).join()).toContain('hello.txt')
    expect(await run('cat hello.txt')).toEqual(['Hello from the demo terminal.'])
    expect(await run('cat /etc/passwd')).toEqual(['cat: no demo file named /etc/passwd. Type ls.'])
    expect(await run('cat constructor')).toEqual(['cat: no demo file named constructor. Type ls.'])
    expect(await run('cat')).toEqual(['usage: cat FILE'])
    expect(await run('rm -rf / ; id')).toEqual(['rm: command not found. Type help.'])
  })

  it('shows the gateway through the calls of the console', async () => {
    const world = demoWorld()
    // Every fax has ended: the last event stays the last.
    world.pass(3600)
    catchUp(world)
    addEvent(world, 'job_created', { job_id: 'abc', backend: 'testline' })
    const { run } = shellIn(world)
    expect(await run('version')).toEqual(['Faxdeck 1.0.2'])
    expect(await run('health')).toEqual(['ok'])
    expect((await run('status')).join('\n')).toMatch(/provider +trunk, healthy/)
    expect(await run('whoami')).toEqual(['the bootstrap key of this installation'])
    expect((await run('keys')).join('\n')).toContain('Front desk assistant')
    expect((await run('jobs')).join('\n')).toMatch(/JOB +TO +STATUS/)
    expect((await run('inbox')).join('\n')).toMatch(/FAX +FROM +TO/)
    expect(await run('logs 1')).toEqual([expect.stringMatching(/Z {2}job_created {2}job_id=abc backend=testline$/)])
    expect(await run('logs none')).toEqual(['usage: logs [COUNT]'])
    expect(await run('date')).toEqual([expect.any(String), expect.stringMatching(/^\d{4}-.*Z$/)])
  })

  it('puts each cell on a line of its own where there is no room side by side', async () => {
    const world = emptyWorld()
    const { key_id: id } = addKey(world, { name: 'Front desk', owner: 'Dr. Alvarez' })
    const { run } = shellIn(world, 36)
    const lines = ['key     ' + id, 'name    Front desk', 'owner   Dr. Alvarez', 'scopes  fax:send,fax:read', '']
    expect(await run('keys')).toEqual(lines)
  })

  it('shows one fax by the beginning of its id', async () => {
    const world = demoWorld()
    const { run } = shellIn(world)
    const id = world.jobs[0]?.job.id ?? ''
    expect((await run(`job ${id.slice(0, 8)}`)).join('\n')).toContain(id)
    expect(await run('job 0000000000000000')).toEqual(['No fax ID starts with 0000000000000000.'])
    expect(await run('job ../../admin')).toEqual(['usage: job ID'])
  })

  it('says in words when a call fails, and goes on', async () => {
    const world = emptyWorld()
    world.failures.set('listJobs', { status: 500, statusText: 'Internal Server Error' })
    const { run } = shellIn(world)
    expect(await run('jobs')).toEqual(['Failed to fetch jobs: API Error: 500 Internal Server Error'])
    world.failures.clear()
    expect(await run('jobs')).toEqual(['No faxes sent yet.'])
  })

  it('takes out of what it shows whatever could steer a terminal', async () => {
    const world = emptyWorld()
    addKey(world, { name: 'evil\x1b]0;title\x07\x9b31m name\u202e' })
    const { run, raw } = shellIn(world)
    await run('keys')
    for (const part of ['\x1b]', '\x07', '\x9b', '\u202e']) expect(raw()).not.toContain(part)
    expect(raw()).toContain('evil ]0;title')
  })

  it('ends, and begins again with Enter', async () => {
    const { type, rows } = shellIn()
    type('exit\r')
    await vi.waitFor(() => expect(rows().at(-1)).toContain('The session has ended'))
    type('ls')
    expect(rows().join()).not.toContain('$ ls')
    type('\r')
    expect(rows().at(-1)).toBe(prompt.trimEnd())
    type('\x04')
    expect(rows().at(-1)).toContain('The session has ended')
  })
})

describe('its line', () => {
  it('is edited in the middle, cut and cleared', () => {
    const { type, rows } = shellIn()
    type(`at hello\x01c\x05.txt`)
    expect(rows().at(-1)).toBe(`${prompt}cat hello.txt`)
    type(`${left}${left}${left}${left}\x17list`)
    expect(rows().at(-1)).toBe(`${prompt}cat list.txt`)
    type('\x05\x7f\x7f')
    expect(rows().at(-1)).toBe(`${prompt}cat list.t`)
    type('\x15')
    expect(rows().at(-1)).toBe(prompt.trimEnd())
    type('jobs\x03')
    expect(rows().slice(-2)).toEqual([`${prompt}jobs^C`, prompt.trimEnd()])
    type('ls\x0c')
    expect(rows()).toEqual([`${prompt}ls`])
  })

  it('takes as many rows as it needs', () => {
    const { type, rows } = shellIn(emptyWorld(), 24)
    type('abcdefghij')
    type('klmnopqrstuvwxyz')
    expect(rows().slice(-2)).toEqual([`${prompt}abcdefghij`, 'klmnopqrstuvwxyz'])
    type('\x01X')
    expect(rows().slice(-2)).toEqual([`${prompt}Xabcdefghi`, 'jklmnopqrstuvwxyz'])
  })

  it('is recalled, and what was being typed is kept', async () => {
    const { type, run, rows } = shellIn()
    await run('version')
    await run('health')
    type(`da${up}${up}`)
    expect(rows().at(-1)).toBe(`${prompt}version`)
    type(`${up}${down}`)
    expect(rows().at(-1)).toBe(`${prompt}health`)
    type('\x1bOB')
    expect(rows().at(-1)).toBe(`${prompt}da`)
  })

  it('is completed: commands, numbers and files', () => {
    const { type, rows } = shellIn()
    type('st\t')
    expect(rows().at(-1)).toBe(`${prompt}status`)
    type('\x15send +15555550123 hel\t')
    expect(rows().at(-1)).toBe(`${prompt}send +15555550123 hello.txt`)
    type('\x15cat \t')
    expect(rows().slice(-2)).toEqual([expect.stringContaining('hello.txt'), `${prompt}cat`])
    type('\x15xyz\t')
    expect(rows().at(-1)).toBe(`${prompt}xyz`)
  })

  it('takes a paste as text: its line breaks run nothing', () => {
    const { type, rows } = shellIn()
    type('\x1b[200~send +15555550123\nhello.txt\r\n\x1b[201~')
    expect(rows().at(-1)).toBe(`${prompt}send +15555550123 hello.txt`)
  })
})

describe('a command that takes time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  })
  afterEach(() => void vi.useRealTimers())

  it('sends a demo file and shows how it goes', async () => {
    const world = emptyWorld()
    const { type, rows } = shellIn(world)
    type('send +1 555 555 0123 hello.txt\r')
    await vi.waitFor(() => expect(rows().join('\n')).toMatch(/Fax [0-9a-f]{8} is queued\./))
    for (let n = 0; n < 6; n += 1) {
      world.pass(2)
      await vi.advanceTimersByTimeAsync(2_000)
    }
    await vi.waitFor(() => expect(rows().slice(-2)).toEqual(['SUCCESS', prompt.trimEnd()]))
    expect(world.jobs).toMatchObject([{ to: expect.stringContaining('5555550123'), job: { file_name: 'hello.txt' } }])
  })

  it('stops by Ctrl-C, forgets what was typed meanwhile, and leaves the fax alone', async () => {
    const world = emptyWorld()
    const { type, rows } = shellIn(world)
    type('send +15555550123 hello.txt\r')
    await vi.waitFor(() => expect(rows().join('\n')).toContain('is queued'))
    type('send +15555550123 letter.txt\r\x03')
    await vi.waitFor(() => expect(rows().slice(-2)).toEqual(['^C', prompt.trimEnd()]))
    expect(world.jobs).toHaveLength(1)
  })

  it('lets the next one wait', async () => {
    const { type, rows } = shellIn()
    type('health\rdate')
    expect(rows().at(-1)).toBe(`${prompt}health`)
    await vi.waitFor(() => expect(rows().slice(-2)).toEqual(['ok', `${prompt}date`]))
  })

  it('refuses a file that is not there', async () => {
    const world = emptyWorld()
    const { run } = shellIn(world)
    expect(await run('send +15555550123 /etc/passwd')).toEqual(['send: no demo file named /etc/passwd. Type ls.'])
    expect(await run('send')).toEqual(['usage: send NUMBER FILE'])
    expect(world.jobs).toEqual([])
  })
})
