import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { repositoryRoot } from '../../repository.mjs'

const sources = join(repositoryRoot, 'packages/contract/src')

/** The text of the comment right before a node, without its stars; empty if there is none. */
function commentBefore(source, node) {
  const ranges = ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []
  const last = ranges.at(-1)
  const text = last ? source.text.slice(last.pos, last.end) : ''
  if (!text.startsWith('/**')) return ''
  return text
    .slice(3, -2)
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('@'))
    .join(' ')
}

/**
 * What the contract's source says about a schema and its fields.
 * @param {string} file below `packages/contract/src`
 * @param {string} name of the constant that holds the schema
 * @returns {{ doc: string, fields: Map<string, string> }}
 */
export function readComments(file, name) {
  const path = join(sources, file)
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const statement = source.statements.find(
    (each) => ts.isVariableStatement(each) && each.declarationList.declarations[0]?.name.getText() === name,
  )
  if (!statement) throw new Error(`${file} has no constant "${name}".`)
  const fields = new Map()
  const visit = (node) => {
    if (!ts.isObjectLiteralExpression(node)) return void ts.forEachChild(node, visit)
    for (const property of node.properties)
      if (ts.isPropertyAssignment(property) || ts.isShorthandPropertyAssignment(property))
        fields.set(property.name.getText(), commentBefore(source, property))
  }
  visit(statement)
  return { doc: commentBefore(source, statement), fields }
}
