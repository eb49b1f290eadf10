import type { Command } from './command.ts'
import type { Line } from './line-editor.ts'

/** What all texts begin with. */
function sharedStart(texts: readonly string[]): string {
  const [first = '', ...others] = texts
  let length = first.length
  for (const text of others) while (!text.startsWith(first.slice(0, length))) length -= 1
  return first.slice(0, length)
}

interface Completion {
  line: Line
  /** What it could become, when that is not plain. */
  choices: readonly string[]
}

/** The line with the word before the cursor completed as far as that is plain. */
export function completionOf({ text, at }: Line, commands: readonly Command[]): Completion {
  const before = text.slice(0, at)
  const words = before.split(/\s+/)
  const word = words.at(-1) ?? ''
  const place = words.length - 1
  const known =
    place === 0
      ? commands.map(({ name }) => name)
      : (commands.find(({ name }) => name === words[0])?.complete?.[place - 1] ?? [])
  const choices = known.filter((each) => each.startsWith(word))
  const shared = sharedStart(choices)
  const done = choices.length === 1 ? `${shared} ` : shared
  if (choices.length === 0) return { line: { text, at }, choices }
  const start = before.slice(0, before.length - word.length) + done
  return { line: { text: start + text.slice(at), at: start.length }, choices: shared === word ? choices : [] }
}
