/** One `name = value` of a configuration file, or a comment line, which stands alone. */
export type ConfLine = readonly [name: string, value: string | number | null] | string

/**
 * Writes one line so that Asterisk reads the value as it is (main/config.c). A semicolon would begin a comment, a line break
 * another setting, and `>` right after the equals sign would be taken for a part of it.
 * @throws {Error} for a value that no configuration file can hold
 */
function confLine(name: string, value: string | number): string {
  const text = String(value)
  if (/\p{Cc}/u.test(text)) throw new Error(`The value of ${name} holds a control character.`)
  return `${name} = ${text.replaceAll(';', '\\;')}`
}

/** One section; a null value is left out, a string is a comment. */
export function confSection(name: string, lines: readonly ConfLine[]): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`"${name}" cannot name a section.`)
  const written = lines.flatMap((line) => {
    if (typeof line === 'string') return `; ${line.replaceAll('\n', ' ')}`
    const [key, value] = line
    return value === null ? [] : confLine(key, value)
  })
  return `[${name}]\n${written.join('\n')}\n`
}

export const head = (about: string) =>
  `; ${about}\n; Faxdeck rewrites this file whenever its settings change. Change the settings, not this file.\n\n`
