const width = 100
const idPattern = '^[0-9a-f]{32}$'

/**
 * Writes a JSON schema as a person would write the type down.
 * @param {Record<string, unknown>} schema
 * @param {string} [indent]
 * @returns {string} for example `{ id: id, pages: integer | null }`, on several lines when it is long
 */
export function shapeOf(schema, indent = '') {
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices) return choices.map((choice) => shapeOf(choice, indent)).join(' | ')
  if (Array.isArray(schema.type)) return schema.type.join(' | ')
  if (schema.type === 'array') return arrayShape(schema, indent)
  if (schema.type === 'object') return objectShape(schema, indent)
  if (schema.type === 'string') return stringShape(schema)
  return schema.type ?? 'anything'
}

function arrayShape(schema, indent) {
  const item = shapeOf(schema.items ?? {}, indent)
  return / \| /.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`
}

function stringShape({ format, pattern }) {
  if (format === 'date-time') return 'instant'
  if (format === 'date') return 'date'
  return pattern === idPattern ? 'id' : 'string'
}

function objectShape(schema, indent) {
  const inner = `${indent}  `
  const members = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const optional = schema.required?.includes(name) ? '' : '?'
    return { text: `${name}${optional}: ${shapeOf(property, inner)}`, note: noteOf(property) }
  })
  const rest = schema.additionalProperties
  if (rest) members.push({ text: `[name]: ${shapeOf(rest, inner)}`, note: '' })
  if (members.length === 0) return '{}'

  const oneLine = `{ ${members.map(({ text }) => text).join(', ')} }`
  const fits = indent.length + oneLine.length <= width && members.every(({ note }) => note === '')
  if (fits && !oneLine.includes('\n')) return oneLine
  const lines = members.map(({ text, note }) => `${inner}${text}${note ? ` // ${note}` : ''}`)
  return `{\n${lines.join('\n')}\n${indent}}`
}

/** What a value may be beyond its type; whole-number limits of the language itself are no news. */
function noteOf(schema) {
  const least = schema.minimum > Number.MIN_SAFE_INTEGER ? schema.minimum : undefined
  const max = schema.maximum < Number.MAX_SAFE_INTEGER ? schema.maximum : undefined
  return [
    rangeOf(least, max, ''),
    rangeOf(schema.minLength > 1 ? schema.minLength : undefined, schema.maxLength, ' characters'),
    rangeOf(schema.minItems, schema.maxItems, ' items'),
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
  ]
    .filter(Boolean)
    .join(', ')
}

function rangeOf(least, max, unit) {
  if (least === undefined && max === undefined) return ''
  if (least === undefined) return `at most ${max}${unit}`
  return max === undefined ? `at least ${least}${unit}` : `${least} to ${max}${unit}`
}
