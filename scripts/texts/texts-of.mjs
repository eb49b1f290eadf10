import ts from 'typescript'

/**
 * @typedef {object} Text
 * @property {number} line from 1
 * @property {string} text what a person reads; `{…}` stands for what is filled in
 */

const placeholder = '{…}'
/** Two words, or one with a capital letter and nothing that only programs write. */
const isForPeople = (text) =>
  /\p{L}{2}/u.test(text) &&
  !/^[a-z]+:\/\/|^\.{0,2}\/\S*$|^--|[{;]\s*$|^(select|insert|update|delete|with|create|alter)\s/i.test(text) &&
  (/\p{L}\s+(\{…\}\s*)*[\p{L}"“]/u.test(text) || /^\p{Lu}\p{Ll}+[.!?…]?$/u.test(text) || /[.?!]$/.test(text))
const tidy = (text) => text.replaceAll(/\s+/g, ' ').trim()
/** Attributes and calls whose texts only programs read. */
const unread = new Set(['className', 'key', 'href', 'src', 'id', 'type', 'role', 'd', 'viewBox', 'htmlFor', 'name'])

/** @param {ts.Node} node @returns {boolean} whether its text is an import, a type, a key or an attribute that nobody reads */
function isUnread(node) {
  const { parent } = node
  if (ts.isImportDeclaration(parent) || ts.isExportDeclaration(parent) || ts.isLiteralTypeNode(parent)) return true
  if (ts.isPropertyAssignment(parent) && parent.name === node) return true
  if (ts.isElementAccessExpression(parent) || ts.isCaseClause(parent)) return true
  return ts.isJsxAttribute(parent) && unread.has(parent.name.getText())
}

/** @param {ts.Node} node @returns {string | undefined} its text with placeholders, when it is a text */
function textOf(node) {
  if (ts.isJsxText(node)) return node.text
  if (ts.isStringLiteralLike(node)) return isUnread(node) ? undefined : node.text
  if (!ts.isTemplateExpression(node) || ts.isTaggedTemplateExpression(node.parent)) return undefined
  return node.head.text + node.templateSpans.map(({ literal }) => placeholder + literal.text).join('')
}

/**
 * The texts of a source file that people read, in order.
 * @param {string} path whose ending says how to read it
 * @param {string} source TypeScript or JavaScript
 * @returns {Text[]}
 */
export function textsOf(path, source) {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const texts = []
  const visit = (node) => {
    const text = tidy(textOf(node) ?? '')
    if (isForPeople(text)) {
      texts.push({ line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1, text })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return texts
}
