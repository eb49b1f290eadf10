import { sentenceOf } from '../../ui/words/problem-words.ts'
import { type Command, UsageProblem } from './command.ts'
import { completionOf } from './completion.ts'
import { gatewayCommands } from './gateway-commands.ts'
import { emptyLine, edit, insert, type Key, type Line, readKeys } from './line-editor.ts'
import { localCommands } from './local-commands.ts'
import { LinePainter, type Output, paint, plainText } from './paint.ts'

const prompt = 'faxdeck-demo$ '
const maxRemembered = 200

const welcome = [
  'Faxdeck demo terminal',
  'A simulated shell: it never reaches a real one. Type help for the commands.',
  '',
]

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
  #waiting: Key[] = []
  #ended = false

  constructor(output: Output) {
    this.#output = output
    this.#painter = new LinePainter(output, prompt)
    const verbs = {
      clear: () => output.clear(),
      exit: () => this.#end(),
      commands: () => this.#commands,
    }
    this.#commands = [...localCommands(verbs), ...gatewayCommands].sort((a, b) => a.name.localeCompare(b.name))
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
      const isInterrupt = key.kind === 'command' && key.name === 'interrupt'
      if (isInterrupt && this.#running) this.#interrupt(this.#running)
      else if (this.#running) this.#waiting.push(key)
      else this.#take(key)
    }
  }

  #interrupt(running: AbortController): void {
    this.#waiting = []
    running.abort()
  }

  #take(key: Key): void {
    if (this.#ended) {
      if (key.kind === 'command' && key.name === 'enter') this.start()
    } else if (key.kind === 'command') this.#obey(key.name)
    else this.#show(insert(this.#line, key.text))
  }

  #obey(command: string): void {
    const edited = edit(this.#line, command)
    if (edited) {
      this.#show(edited)
      return
    }
    if (command === 'enter') {
      this.#enter()
      return
    }
    if (command === 'complete') {
      this.#complete()
      return
    }
    if (command === 'up') {
      this.#recall(this.#place - 1)
      return
    }
    if (command === 'down') {
      this.#recall(this.#place + 1)
      return
    }
    if (command === 'clear') {
      this.#output.clear()
      this.#painter.begin(this.#line)
      return
    }
    if (command === 'interrupt') {
      this.#output.write('^C\r\n')
      this.#begin()
      return
    }
    if (command === 'end-of-input' && this.#line.text === '') {
      this.#output.write('\r\n')
      this.#end()
    }
  }

  #show(line: Line): void {
    this.#line = line
    this.#painter.show(line)
  }

  #begin(): void {
    this.#place = this.#history.length
    this.#draft = ''
    this.#line = emptyLine
    this.#painter.begin(emptyLine)
  }

  #recall(place: number): void {
    if (place < 0 || place > this.#history.length) return
    if (this.#place === this.#history.length) this.#draft = this.#line.text
    this.#place = place
    const text = this.#history[place] ?? this.#draft
    this.#show({ text, at: text.length })
  }

  #complete(): void {
    const { line, choices } = completionOf(this.#line, this.#commands)
    if (choices.length > 1) {
      this.#painter.leave(this.#line)
      this.#print(choices.join('  '))
      this.#line = line
      this.#painter.begin(line)
    } else this.#show(line)
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
    const running = new AbortController()
    this.#running = running
    const print = (line = '') => {
      if (!running.signal.aborted) this.#print(line)
    }
    try {
      if (command) await command.run({ args, print, signal: running.signal, width: this.#output.columns() })
      else this.#print(`${name}: command not found. Type help.`, 'bad')
    } catch (error) {
      this.#report(error, command, running.signal)
    }
    this.#running = undefined
    if (!this.#ended) this.#begin()
    for (const key of this.#waiting.splice(0)) this.#again(key)
  }

  /** What was typed meanwhile; a command among it makes the rest wait again. */
  #again(key: Key): void {
    if (this.#running) this.#waiting.push(key)
    else this.#take(key)
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
    this.#output.write(`${paint(plainText(line), tone)}\r\n`)
  }
}
