/** What a key or a paste means to a line of text. */
export type Key = { kind: 'text'; text: string } | { kind: 'paste'; text: string } | { kind: 'command'; name: string }

const commands: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'complete',
  '\x7f': 'backspace',
  '\b': 'backspace',
  '\x01': 'home',
  '\x03': 'interrupt',
  '\x04': 'end-of-input',
  '\x05': 'end',
  '\x0b': 'cut-after',
  '\x0c': 'clear',
  '\x15': 'cut-before',
  '\x17': 'cut-word',
  '\x1b[A': 'up',
  '\x1b[B': 'down',
  '\x1b[C': 'right',
  '\x1b[D': 'left',
  '\x1b[H': 'home',
  '\x1b[F': 'end',
  '\x1b[3~': 'delete',
}

const escape = '\x1b'
const parts = new RegExp(`${escape}\\[200~([\\s\\S]*?)${escape}\\[201~|${escape}[[O][0-9;]*[A-Za-z~]|[\\s\\S]`, 'gu')
/** One column each; others would be counted wrongly, and no command needs them. */
const unfit = /[^\x20-\x7e\u00a1-\u024f]/g

/** Takes apart what a terminal sends: keys, and pasted text, whose line breaks become blanks so that nothing runs by itself. */
export function readKeys(data: string): Key[] {
  return [...data.matchAll(parts)].flatMap(([whole, pasted]): Key[] => {
    if (pasted !== undefined) return [{ kind: 'paste', text: pasted.replace(/\s+/g, ' ').replace(unfit, '') }]
    // Application mode says O where the usual mode says [.
    const name = commands[whole.startsWith(`${escape}O`) ? `${escape}[${whole.slice(2)}` : whole]
    if (name) return [{ kind: 'command', name }]
    const text = whole.replace(unfit, '')
    return text ? [{ kind: 'text', text }] : []
  })
}

export interface Line {
  text: string
  /** Where the next character goes. */
  at: number
}

export const emptyLine: Line = { text: '', at: 0 }

export function insert({ text, at }: Line, added: string): Line {
  return { text: text.slice(0, at) + added + text.slice(at), at: at + added.length }
}

const edits: Readonly<Record<string, (line: Line) => Line>> = {
  left: ({ text, at }) => ({ text, at: Math.max(0, at - 1) }),
  right: ({ text, at }) => ({ text, at: Math.min(text.length, at + 1) }),
  home: ({ text }) => ({ text, at: 0 }),
  end: ({ text }) => ({ text, at: text.length }),
  backspace: ({ text, at }) => (at === 0 ? { text, at } : { text: text.slice(0, at - 1) + text.slice(at), at: at - 1 }),
  delete: ({ text, at }) => ({ text: text.slice(0, at) + text.slice(at + 1), at }),
  'cut-before': ({ text, at }) => ({ text: text.slice(at), at: 0 }),
  'cut-after': ({ text, at }) => ({ text: text.slice(0, at), at }),
  'cut-word': ({ text, at }) => {
    const before = text.slice(0, at).replace(/\S*\s*$/, '')
    return { text: before + text.slice(at), at: before.length }
  },
}

/** The line after an editing command; undefined when it is no editing command. */
export function edit(line: Line, command: string): Line | undefined {
  return edits[command]?.(line)
}
