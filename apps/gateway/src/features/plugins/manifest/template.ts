/** What stands for a placeholder, by its dotted name: `to`, `settings.region`, `creds.token`. */
export type Context = Readonly<Record<string, string | number>>

/** A value that cannot stand where a template wants it; the message is one sentence. */
export class TemplateProblem extends Error {
  override name = 'TemplateProblem'
}

const placeholder = /\{\{\s*([\w.]+)\s*\}\}/g
const onePlaceholder = /^\{\{\s*([\w.]+)\s*\}\}$/
/** A header value is Latin-1 without control characters (RFC 9110, 5.5). */
const fitsHeader = /^[\x20-\x7e\x80-\xff]*$/

/** JSON of which any text may hold placeholders. */
export type JsonTemplate = string | number | boolean | null | JsonTemplate[] | { [name: string]: JsonTemplate }

/** A template has a few levels, and recursion over one needs a bound. */
const maxLevels = 40
export const tooDeep = `It can have at most ${maxLevels} levels of lists and objects.`

const partsOf = (json: unknown): unknown[] => (typeof json === 'object' && json !== null ? Object.values(json) : [])

/** Whether JSON has more levels of lists and objects than are walked. */
export function isTooDeep(json: unknown): boolean {
  let level = [json]
  for (let depth = 0; depth <= maxLevels && level.length > 0; depth++) level = level.flatMap(partsOf)
  return level.length > 0
}

/** The names of the placeholders in a text, each once. */
export function namesIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name))]
}

/** Whether a text is one placeholder and nothing else. */
export const isOnly = (template: string, name: string): boolean => onePlaceholder.exec(template)?.[1] === name

/** Whether braces are left over that are no placeholder, so that somebody would be sent them as they are. */
export const hasStrayBraces = (template: string): boolean => /\{\{|\}\}/.test(template.replace(placeholder, ''))

function valueOf(context: Context, name: string): string | number {
  const value = Object.hasOwn(context, name) ? context[name] : undefined
  if (value === undefined) throw new TemplateProblem(`There is nothing to put in the place of {{${name}}}.`)
  return value
}

function render(template: string, context: Context, escape: (text: string) => string): string {
  return template.replace(placeholder, (_, name: string) => escape(String(valueOf(context, name)).toWellFormed()))
}

/** A text as it is: for a place whose writer escapes by itself, such as a part of a form. */
export const renderText = (template: string, context: Context): string => render(template, context, (text) => text)

/** @throws {TemplateProblem} when a value would end the header or begin another */
export function renderHeader(template: string, context: Context): string {
  return render(template, context, (text) => {
    if (!fitsHeader.test(text)) throw new TemplateProblem('A value has characters that no header can carry.')
    return text
  })
}

/**
 * An address whose values stay inside the segment or query field in which they stand.
 * @param origin scheme and authority, which hold no placeholders
 * @throws {TemplateProblem} when a value would leave its place in the path
 */
export function renderUrl(origin: string, path: string, query: string, context: Context): URL {
  const escaped = render(path, context, (text) => {
    if (text === '') throw new TemplateProblem('A value of the address is empty.')
    return encodeURIComponent(text)
  })
  const url = new URL(origin + escaped + render(query, context, encodeURIComponent))
  if (url.pathname !== escaped) throw new TemplateProblem('A value would lead to another address.')
  return url
}

/** JSON with its values in place. A text that is one placeholder keeps the type of the value. */
export function renderJson(template: JsonTemplate, context: Context): JsonTemplate {
  if (typeof template === 'string') {
    const only = onePlaceholder.exec(template)?.[1]
    return only === undefined ? renderText(template, context) : valueOf(context, only)
  }
  if (Array.isArray(template)) return template.map((each) => renderJson(each, context))
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, each]) => [name, renderJson(each, context)]))
}

/** Every text of a JSON template, names of fields included. */
export function textsOf(template: JsonTemplate): string[] {
  if (typeof template === 'string') return [template]
  if (Array.isArray(template)) return template.flatMap(textsOf)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(textsOf)
}

/** Placeholders that stand as values by themselves: `{"pages": {{pages}}}`. */
const bare = /([:[,]\s*)(\{\{\s*[\w.]+\s*\}\})(?=\s*[,\]}])/g

/**
 * Reads JSON whose placeholders may stand inside texts or by themselves as values.
 * @throws {SyntaxError} with the parser's words
 */
export function parseJsonTemplate(text: string): JsonTemplate {
  try {
    return JSON.parse(text) as JsonTemplate
  } catch {
    return JSON.parse(text.replace(bare, '$1"$2"')) as JsonTemplate
  }
}
