import { clientModels, unions, words } from './models.mjs'

const width = 120
const literal = (value) => `'${value}'`

function typeOf(type) {
  if (type.model) return type.model
  const name = Object.entries(words).find(([, { values }]) => type.enum && values.join() === type.enum.join())?.[0]
  if (name) return name
  if (type.const !== undefined) return typeof type.const === 'string' ? literal(type.const) : String(type.const)
  if (type.enum) return type.enum.map(literal).join(' | ')
  if (type.anyOf) return type.anyOf.map(typeOf).join(' | ')
  if (type.type === 'array') {
    const item = typeOf(type.items)
    return item.includes(' | ') ? `(${item})[]` : `${item}[]`
  }
  if (type.type === 'object') return `Record<string, ${typeOf(type.additionalProperties)}>`
  return type.type === 'integer' ? 'number' : type.type
}

/** A comment, on several lines where it is long. */
function comment(text, indent) {
  if (text === '') return ''
  if (indent.length + text.length + 7 <= width) return `${indent}/** ${text} */\n`
  const lines = ['']
  for (const word of text.split(' ')) {
    if (indent.length + 3 + `${lines.at(-1)} ${word}`.length > width) lines.push('')
    lines.push(`${lines.pop()} ${word}`.trim())
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`
}

/** One member; a union that is too long for a line stands below its name. */
function member({ name, type, optional, doc }) {
  const line = `  ${name}${optional ? '?' : ''}: ${typeOf(type)}`
  const shown = line.length <= width ? line : line.replace(/: /, ':\n    | ').replaceAll(/(?<=') \| /g, '\n    | ')
  return `${comment(doc, '  ')}${shown}\n`
}

const head = '// Written by `npm run reference` from the rows in packages/contract. Do not edit.\n'

const shapesOf = (wanted) =>
  clientModels()
    .filter(({ isMessage }) => isMessage === wanted)
    .map(({ name, base, doc, fields }) => {
      const heir = base ? ` extends ${base}` : ''
      return `${comment(doc, '')}export interface ${name}${heir} {\n${fields.map(member).join('')}}\n`
    })

/** @returns {string} the types of what the gateway answers, for `packages/sdk-node` */
export function typescriptTypes() {
  const aliases = Object.entries(words).map(([name, { doc, values }]) => {
    const line = `export type ${name} = ${values.map(literal).join(' | ')}`
    const below = `  ${values.map(literal).join(' | ')}`
    const list = below.length <= width ? `\n${below}` : values.map((each) => `\n  | ${literal(each)}`).join('')
    const shown = line.length <= width ? line : `export type ${name} =${list}`
    return `${comment(doc, '')}${shown}\n`
  })
  return [head, ...aliases, ...shapesOf(false)].join('\n')
}

/** @returns {string} the types of what webhooks are sent, for `packages/sdk-node` */
export function typescriptMessages() {
  const either = Object.entries(unions).map(
    ([name, { doc, of }]) => `${comment(doc, '')}export type ${name} =${of.map((each) => `\n  | ${each}`).join('')}\n`,
  )
  const uses = "import type { FailureKind, PageCode, ReceivedFaxGroup } from './models.ts'\n"
  return [head, uses, ...shapesOf(true), ...either].join('\n')
}
