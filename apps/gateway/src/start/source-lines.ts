import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const frame = /(?<file>file:\/\/[^\s()]+\.js):(?<line>\d+):(?<column>\d+)/g
const maps = new Map<string, SourceMap | undefined>()

/** Read when an error is logged, not at the start: Node's own support keeps the maps of everything in memory. */
function mapOf(file: string): SourceMap | undefined {
  if (maps.has(file)) return maps.get(file)
  let map: SourceMap | undefined
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMapPayload)
  } catch {
    // A file without a map is shown as it is.
  }
  maps.set(file, map)
  return map
}

/** A stack trace that names the lines of the sources, where the bundle beside it has a map of them. */
export function withSourceLines(stack: string): string {
  return stack.replace(frame, (shown, file: string, line: string, column: string) => {
    const path = fileURLToPath(file)
    const entry = mapOf(path)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (!entry || !('originalSource' in entry)) return shown
    return `${join(dirname(path), entry.originalSource)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
