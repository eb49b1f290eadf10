import { clientModels, unions, words } from './models.mjs'

const width = 120
const literal = (value) => `"${value}"`
const constant = (value) =>
  ({ string: literal, boolean: (is) => (is ? 'True' : 'False') })[typeof value]?.(value) ?? value

function typeOf(type) {
  if (type.model) return type.model
  const name = Object.entries(words).find(([, { values }]) => type.enum && values.join() === type.enum.join())?.[0]
  if (name) return name
  if (type.const !== undefined) return `Literal[${constant(type.const)}]`
  if (type.enum) return `Literal[${type.enum.map(literal).join(', ')}]`
  if (type.anyOf) {
    const rest = type.anyOf.filter((each) => each.type !== 'null').map(typeOf)
    const all = rest.length > 1 ? `Union[${rest.join(', ')}]` : rest[0]
    return rest.length < type.anyOf.length ? `Optional[${all}]` : all
  }
  if (type.type === 'array') return `List[${typeOf(type.items)}]`
  if (type.type === 'object') return `Dict[str, ${typeOf(type.additionalProperties)}]`
  return { integer: 'int', number: 'float', boolean: 'bool', string: 'str' }[type.type]
}

function alias(name, values) {
  const line = `${name} = Literal[${values.join(', ')}]`
  return line.length <= width
    ? `${line}\n`
    : `${name} = Literal[\n${values.map((each) => `    ${each},\n`).join('')}]\n`
}

/** A comment of Sphinx on lines of its own, with its code in the way of reStructuredText. */
function comment(text, indent, sign = '#:') {
  const lines = []
  for (const word of text.replaceAll('`', '``').split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last === undefined || indent.length + sign.length + 1 + `${last} ${word}`.length > width) lines.push(word)
    else lines.push(`${lines.pop()} ${word}`)
  }
  return lines.map((line) => `${indent}${sign}${sign ? ' ' : ''}${line}\n`).join('')
}

function docstring(doc) {
  return doc === '' ? '' : comment(`"""${doc}"""`, '    ', '')
}

function member(suffix) {
  return ({ name, type, doc }) => `${comment(doc, '    ')}    ${name}: ${typeOf(type)}${suffix}\n`
}

/** Words that Python keeps for itself. */
const keywords = ['from']

/** What Python takes as the name of a key only between quotation marks stands in a base of its own. */
function typedDict({ name, doc, fields }) {
  const quoted = fields.filter((field) => keywords.includes(field.name))
  if (quoted.length === 0) return plainDict({ name, doc, fields })
  const inside = quoted.map(({ name: key, type }) => `"${key}": ${typeOf(type)}`).join(', ')
  const total = quoted.every((field) => field.optional) ? ', total=False' : ''
  const rest = plainDict({ name, doc, fields: fields.filter((field) => !quoted.includes(field)) })
  const own = rest.replace(new RegExp(`^class ${name}\\((\\w+)`, 'm'), (_, base) =>
    base === 'TypedDict' ? `class ${name}(_${name}From` : `class ${name}(${base}, _${name}From`,
  )
  return `_${name}From = TypedDict("_${name}From", {${inside}}${total})\n\n\n${own}`
}

/** A dictionary; what may be absent has a base of its own in Python before 3.11. */
function plainDict({ name, doc, fields }) {
  const optional = fields.filter((field) => field.optional)
  const body = (list) => (list.length > 0 ? list.map(member('')).join('') : '    pass\n')
  if (optional.length === 0) return `class ${name}(TypedDict):\n${docstring(doc)}${doc ? '\n' : ''}${body(fields)}`
  if (optional.length === fields.length)
    return `class ${name}(TypedDict, total=False):\n${docstring(doc)}${doc ? '\n' : ''}${body(fields)}`
  const required = fields.filter((field) => !field.optional)
  return (
    `class _${name}(TypedDict):\n${body(required)}\n\n` +
    `class ${name}(_${name}, total=False):\n${docstring(doc)}${doc ? '\n' : ''}${body(optional)}`
  )
}

function dataclass({ name, base, doc, fields: all }) {
  // What an answer leaves out is None.
  const fields = all.map(({ name, type, optional, ...rest }) => ({
    ...{ ...rest, name: keywords.includes(name) ? `${name}_` : name },
    type: optional ? { anyOf: [type, { type: 'null' }] } : type,
  }))
  return `@dataclass(frozen=True)\nclass ${name}${base ? `(${base})` : ''}:\n${docstring(doc)}${doc ? '\n' : ''}${fields.map(member('')).join('')}`
}

const shapesOf = (wanted) =>
  clientModels()
    .filter(({ isMessage }) => isMessage === wanted)
    .map((model) => (model.nested ? typedDict(model) : dataclass(model)))

/** @returns {string} the models of what the gateway answers, for `sdk-python` */
export function pythonModels() {
  const aliases = Object.entries(words).map(
    ([name, { doc, values }]) => `${comment(doc, '')}${alias(name, values.map(literal))}`,
  )
  const head = `"""What the gateway answers. Times are ISO 8601 in UTC.

Written by \`\`npm run reference\`\` from the rows in packages/contract. Do not edit.
"""

from dataclasses import dataclass
from typing import Dict, List, Literal, Optional, TypedDict`
  return `${head}\n\n${aliases.join('\n')}\n\n${shapesOf(false).join('\n\n')}`
}

/** @returns {string} the models of what webhooks are sent, for `sdk-python` */
export function pythonMessages() {
  const either = Object.entries(unions).map(
    ([name, { doc, of }]) => `${comment(doc, '')}${name} = Union[\n${of.map((each) => `    ${each},\n`).join('')}]\n`,
  )
  const head = `"""What webhooks are sent. Times are ISO 8601 in UTC.

Written by \`\`npm run reference\`\` from the rows in packages/contract. Do not edit.
"""

from typing import Dict, List, Literal, Optional, TypedDict, Union

from .models import FailureKind, PageCode, ReceivedFaxGroup`
  return `${head}\n\n\n${[...shapesOf(true), ...either].join('\n\n')}`
}
