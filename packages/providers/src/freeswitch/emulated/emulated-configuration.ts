/** What FreeSWITCH's pre-processor keeps for `$${name}`. */
export type Globals = Map<string, string>

const whole = ['<include>', '</include>', '<?']

/**
 * Reads configuration as FreeSWITCH does (switch_xml.c): line by line, before anything is known of XML. Tags of the
 * pre-processor are therefore obeyed wherever they stand, also in comments, and their line is taken out. Of its
 * commands only "set" is known here.
 */
export function preprocess(text: string, globals: Globals): string {
  const kept: string[] = []
  for (const raw of text.split('\n')) {
    const line = raw.replace(/\$\$\{([^}]*)\}/g, (_, name: string) => globals.get(name) ?? '')
    if (whole.some((tag) => raw.includes(tag))) continue
    const at = line.toLowerCase().indexOf('x-pre-process')
    if (at < 0) {
      kept.push(line)
      continue
    }
    const [, command, data = ''] = /cmd[^=]*=[^"]*"([^"]*)".*?data[^=]*=[^"]*"([^"]*)"/is.exec(line.slice(at)) ?? []
    const cut = data.indexOf('=')
    if (line[at - 1] !== '<' || command?.toLowerCase() !== 'set' || cut < 0) continue
    globals.set(data.slice(0, cut).trimEnd(), data.slice(cut + 1).trimStart())
  }
  return kept.join('\n')
}

export interface Tag {
  name: string
  attributes: Readonly<Record<string, string>>
  children: Tag[]
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:-]+)\s*=\s*("[^"]*"|'[^']*')/g)].map(([, name = '', quoted = '']) => {
    const value = quoted.slice(1, -1).replace(/&(\w+);/g, (entity, word: string) => entities[word] ?? entity)
    return [name, value] as const
  })
  return Object.fromEntries(pairs)
}

/** Reads what the pre-processor left. @throws {Error} for what FreeSWITCH refuses: an open comment or tag, two strokes in a comment */
export function readXml(text: string): Tag[] {
  const root: Tag = { name: '', attributes: {}, children: [] }
  const open = [root]
  let at = text.indexOf('<')
  while (at >= 0) {
    const inside = open.at(-1) ?? root
    let end = text.indexOf('>', at)
    if (text.startsWith('<!--', at)) {
      end = text.indexOf('--', at + 4) + 2
      if (end < 2 || text[end] !== '>') throw new Error('unclosed <!--')
    } else {
      if (end < 0) throw new Error('missing >')
      const [, close, name = '', attributes = '', empty] = /^<(\/?)([\w:-]+)(.*?)(\/?)>$/s.exec(
        text.slice(at, end + 1),
      ) ?? ['', '']
      if (name === '') throw new Error('unexpected <')
      if (close) {
        if (inside.name !== name) throw new Error(`unexpected closing tag </${name}>`)
        open.pop()
      } else {
        const tag = { name, attributes: attributesOf(attributes), children: [] }
        inside.children.push(tag)
        if (!empty) open.push(tag)
      }
    }
    at = text.indexOf('<', end)
  }
  if (open.length > 1) throw new Error(`unclosed tag <${open.at(-1)?.name}>`)
  return root.children
}

/**
 * One reading of a value: variables are filled in, and a stroke holds the next sign back (switch_channel.c).
 * @param valueOf a variable, or `command(argument)`, whose argument was read already
 */
export function expand(text: string, valueOf: (name: string) => string): string {
  let out = ''
  for (let at = 0; at < text.length; at += 1) {
    const [sign = '', next = ''] = [text[at], text[at + 1]]
    if (sign === '\\' && next === "'") at += 1
    else if (sign === '\\' && (next === '$' || next === '\\')) {
      out += next
      at += 1
    } else if (sign === '$' && next === '{') {
      const end = closingBrace(text, at + 1)
      const name = text.slice(at + 2, end)
      out += valueOf(name.includes('(') ? expand(name, valueOf) : name)
      at = end
    } else out += sign
  }
  return out
}

function closingBrace(text: string, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1
    if (text[at] === '}' && (depth -= 1) === 0) return at
  }
  throw new Error('A variable does not end.')
}
