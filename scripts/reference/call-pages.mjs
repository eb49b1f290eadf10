import {
  anyFaxEvent,
  exampleOf,
  faxStream,
  liveMessage,
  liveStream,
  problems,
  roles,
  routes,
  scopeFor,
} from '../../packages/contract/src/index.ts'
import { openApiDocument } from '../../packages/contract/src/openapi.ts'
import { curlOf } from './curl.mjs'
import { shapeOf } from './schema-shape.mjs'
import { ways } from './ways.mjs'

const orList = new Intl.ListFormat('en', { type: 'disjunction' })

/** Every call with its row, the streams among them. */
const allCalls = () => [
  ...Object.entries(routes),
  ['followChanges', { ...liveStream, event: liveMessage }],
  ['followFaxes', { ...faxStream, event: anyFaxEvent }],
]

/** The file of a call's page, without its ending. */
export const fileOf = (call) => call.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/**
 * A page for each call.
 * @returns {{ call: string, row: object, area: string, name: string, summary: string, file: string, markdown: string }[]}
 */
export function callPages() {
  const { paths, tags } = openApiDocument('')
  const areas = new Map(tags.map(({ name }, at) => [name, at]))
  const pages = allCalls().map(([call, row]) => {
    const operation = paths[row.path.replace(/:(\w+)/g, '{$1}')][row.method.toLowerCase()]
    const name = `${row.method} ${row.path}`
    const [area] = operation.tags
    return { call, row, area, name, summary: row.summary, file: fileOf(call), markdown: pageOf(call, row, operation) }
  })
  return pages.sort((a, b) => areas.get(a.area) - areas.get(b.area))
}

function pageOf(call, row, operation) {
  const parts = [
    ['Path', row.params],
    ['Query', row.query],
    ['Body', row.body],
    ['Form', row.form],
  ].flatMap(([title, schema]) => (schema ? shapeSection(title, schema, 'input') : []))
  const file = row.form ? [`The form also carries ${row.fileOptional ? 'at most ' : ''}one \`file\`.`] : []
  const text = [
    `# ${row.method} ${row.path}`,
    row.summary,
    factsOf(row, operation),
    `## Example`,
    examplesOf(call, row),
    ...parts,
    ...file,
    `## Answer`,
    answerOf(row, operation),
    `## Errors`,
    errorsOf(operation),
  ]
  return `${text.filter(Boolean).join('\n\n')}\n`
}

function factsOf({ permission }, { operationId, description }) {
  const allowed = Object.values(roles).filter((role) => role.permissions.includes(permission))
  const facts = [
    ...description.split(/(?<=\.) (?=[A-Z])/),
    ...(permission
      ? [`Open to signed-in people with the role ${orList.format(allowed.map(({ label }) => label))}.`]
      : []),
    `In \`/openapi.json\`: \`${operationId}\`.`,
  ]
  return facts.map((fact) => `- ${fact}`).join('\n')
}

function examplesOf(call, row) {
  const blocks = [
    ['sh', 'curl', curlOf(row, row.event ? {} : exampleOf(call, row.path))],
    ['js', 'Node', ways[call]?.node],
    ['python', 'Python', ways[call]?.python],
    ['sh', 'Command line', ways[call]?.cli],
  ]
  return blocks
    .flatMap(([language, tab, text]) => (text ? `\`\`\`${language} ${tab}\n${text}\n\`\`\`` : []))
    .join('\n\n')
}

function shapeSection(title, schema, direction) {
  const shape = shapeOf(schema.toJSONSchema({ io: direction }))
  return shape === '{}' ? [] : [`## ${title}\n\n\`\`\`ts\n${shape}\n\`\`\``]
}

function answerOf({ reply, status, event }, operation) {
  const [code] = Object.keys(operation.responses)
  if (event)
    return `${code} with \`text/event-stream\`, without an end. The data of each event:\n\n${shapeBlock(event)}`
  if (reply === 'none') return `${status ?? 204} without a body.`
  if (typeof reply === 'string') return `${code} with ${filesOf(operation.responses[code])}.`
  const example = operation.responses[code].content['application/json'].example
  const shown =
    example === undefined ? '' : `\n\nFor example:\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``
  return `${code} with \`application/json\`:\n\n${shapeBlock(reply)}${shown}`
}

const filesOf = ({ content }) => orList.format(Object.keys(content).map((type) => `\`${type}\``))

const shapeBlock = (schema) => `\`\`\`ts\n${shapeOf(schema.toJSONSchema({ io: 'output' }))}\n\`\`\``

/** Statuses as the document of the API names them: it knows which a call can meet, not which code of each. */
function errorsOf({ responses }) {
  const statuses = new Set(Object.keys(responses).map(Number))
  const codes = Map.groupBy(Object.keys(problems), (code) => problems[code].status)
  const lines = [...codes]
    .filter(([status]) => status >= 400 && statuses.has(status))
    .map(
      ([status, all]) =>
        `| [${status}](../errors.md#${status}) | ${all.length > 8 ? `${all.length} codes` : codesOf(all)} |`,
    )
  const any = '[Any call](../errors.md#any-call) can meet others.'
  return `The status is one of these, with a code that says the reason. ${any}\n\n| status | codes with this status |\n|---|---|\n${lines.join('\n')}`
}

const codesOf = (codes) => codes.map((code) => `[\`${code}\`](../errors.md#${code})`).join(', ')

/** @returns {string} which scope a call needs, as the list of calls says it */
export const scopeOf = ({ permission }) => (permission ? `\`${scopeFor(permission)}\`` : 'none')
