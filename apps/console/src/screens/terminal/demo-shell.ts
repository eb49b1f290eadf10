import { sentenceOf } from '../../ui/words/problem-words.ts'
import { type Command, commandsWith, UsageProblem } from './commands.ts'
import { complete, edits, emptyLine, insert, type Line, LinePainter, type Output, readKeys } from './line.ts'

const prompt = 'faxdeck-demo$ '
const maxRemembered = 200
const interrupt = '\x03'

const welcome = [
  'Faxdeck demo terminal',
  'A simulated shell: it never reaches a real one. Type help for the commands.',
  '',
]

/** Text without anything that could steer a terminal: what the gateway returns may hold text that others wrote. */
const plainText = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
const inRed = (text: string) => `\x1b[31m${text}\x1b[0m`

/** A small imitation of a shell: it edits a line, knows a few commands, and asks the gateway as every screen does. */
export class DemoShell {
  readonly #output: Output
  readonly #painter: LinePainter
  readonly #commands: readonly Command[]
  readonly #history: string[] = []
  /** Where in the history a person is; its end is the line being typed. */
  #place = 0
  #line: Line = emptyLine
  /** What was typed before a look at the history. */
  #draft = ''
  #running: AbortController | undefined
  #waiting: string[] = []
  #ended = false

  readonly #keys: Readonly<Record<string, () => void>> = {
    '\r': () => this.#enter(),
    '\n': () => this.#enter(),
    '\t': () => this.#complete(),
    '\x1b[A': () => this.#recall(this.#place - 1),
    '\x1b[B': () => this.#recall(this.#place + 1),
    '\x0c': () => {
      this.#output.clear()
      this.#painter.begin(this.#line)
    },
    [interrupt]: () => {
      this.#output.write('^C\r\n')
      this.#begin()
    },
    '\x04': () => {
      if (this.#line.text !== '') return
      this.#output.write('\r\n')
      this.#end()
    },
  }

  constructor(output: Output) {
    this.#output = output
    this.#painter = new LinePainter(output, prompt)
    this.#commands = commandsWith({ clear: () => output.clear(), exit: () => this.#end() })
  }

  start(): void {
    this.#ended = false
    for (const line of welcome) this.#print(line)
    this.#begin()
  }

  /** Ends whatever runs; nothing is written any more. */
  stop(): void {
    this.#ended = true
    this.#running?.abort()
  }

  /** Takes what a person typed or pasted. While a command runs it waits, but for Ctrl-C. */
  feed(data: string): void {
    for (const key of readKeys(data)) {
      if (!this.#running) this.#take(key)
      else if (key !== interrupt) this.#waiting.push(key)
      else {
        this.#waiting = []
        this.#running.abort()
      }
    }
  }

  #take(key: string): void {
    const isText = key >= ' ' && key !== '\x7f'
    if (this.#ended) {
      if (key === '\r' || key === '\n') this.start()
    } else if (isText) this.#show(insert(this.#line, key))
    else if (edits[key]) this.#show(edits[key](this.#line))
    else this.#keys[key]?.()
  }

  #show(line: Line): void {
    this.#line = line
    this.#painter.show(line)
  }

  #begin(line = emptyLine): void {
    this.#place = this.#history.length
    this.#line = line
    this.#painter.begin(line)
  }

  #recall(place: number): void {
    if (place < 0 || place > this.#history.length) return
    if (this.#place === this.#history.length) this.#draft = this.#line.text
    this.#place = place
    const text = this.#history[place] ?? this.#draft
    this.#show({ text, at: text.length })
  }

  #complete(): void {
    const { line, choices } = complete(this.#line, ([name, ...args]) => {
      if (args.length === 0) return this.#commands.map((each) => each.name)
      return this.#commands.find((each) => each.name === name)?.complete?.[args.length - 1] ?? []
    })
    if (choices.length < 2) {
      this.#show(line)
      return
    }
    this.#painter.leave(this.#line)
    this.#print(choices.join('  '))
    this.#begin(line)
  }

  #enter(): void {
    const text = this.#line.text.trim()
    this.#painter.leave(this.#line)
    if (!text) {
      this.#begin()
      return
    }
    if (this.#history.at(-1) !== text) this.#history.push(text)
    if (this.#history.length > maxRemembered) this.#history.shift()
    void this.#perform(text)
  }

  async #perform(text: string): Promise<void> {
    const [name = '', ...args] = text.split(/\s+/)
    const command = this.#commands.find((each) => each.name === name)
    const { signal } = (this.#running = new AbortController())
    const print = (line: string) => {
      if (!signal.aborted) this.#print(line)
    }
    try {
      if (!command) this.#print(`${name}: command not found. Type help.`, 'bad')
      const lines = await command?.run({ args, print, signal, width: this.#output.columns() })
      for (const line of lines ?? []) print(line)
    } catch (error) {
      this.#report(error, command, signal)
    }
    this.#running = undefined
    if (!this.#ended) this.#begin()
    // What was typed meanwhile; a command among it makes the rest wait again.
    for (const key of this.#waiting.splice(0)) this.feed(key)
  }

  #report(error: unknown, command: Command | undefined, signal: AbortSignal): void {
    if (this.#ended) return
    if (signal.aborted) this.#output.write('^C\r\n')
    else if (error instanceof UsageProblem) this.#print(`usage: ${command?.name} ${command?.usage ?? ''}`, 'bad')
    else this.#print(error instanceof Error ? sentenceOf(error) : 'The command failed.', 'bad')
  }

  #end(): void {
    this.#print('The session has ended. Press Enter to start a new one.')
    this.#ended = true
  }

  #print(line: string, tone?: 'bad'): void {
    if (this.#ended) return
    const text = plainText(line)
    this.#output.write(`${tone ? inRed(text) : text}\r\n`)
  }
}
