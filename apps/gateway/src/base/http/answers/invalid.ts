import { Problem } from './problem.ts'

interface Issue {
  path: readonly PropertyKey[]
  message?: string | undefined
}

function sentenceOf(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}

/** The 422 for what a schema found: every field with its sentence, and all of them in one line for people. */
export function invalid(issues: readonly Issue[]): Problem {
  const fields = issues.map(({ path, message = 'It is not valid' }) => ({
    field: path.map(String).join('.'),
    message: sentenceOf(message),
  }))
  const said = fields.map(({ field, message }) => (field === '' ? message : `${field}: ${message}`)).join(' ')
  return new Problem('invalid', said.slice(0, 1000), { fields })
}
