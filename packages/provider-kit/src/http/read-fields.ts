import { plainText } from '../plain-words.ts'

/** The value of a JSON text; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const largestCount = 999_999

/** The fields of a JSON object that came from outside: each may be missing, or of another type than documented. */
export class Fields {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: Readonly<Record<string, unknown>>) {
    this.#values = values
  }

  /** The value as it came. */
  value(name: string): unknown {
    return Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
  }

  /** A text without what is not seen, bounded; empty when it is missing or something else. */
  text(name: string): string {
    const value = this.value(name)
    return typeof value === 'string' ? plainText(value) : ''
  }

  /** A text, or a number as text, for providers that write either; empty when it is something else. */
  textOrNumber(name: string): string {
    const value = this.value(name)
    return typeof value === 'number' ? String(value) : this.text(name)
  }

  /** A whole number from 0, written as a number or in digits; undefined when it is missing, something else or larger. */
  count(name: string, max = largestCount): number | undefined {
    const text = this.textOrNumber(name)
    const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
    return count <= max ? count : undefined
  }

  /** An instant; undefined when it is missing or not a date. */
  date(name: string): Date | undefined {
    const at = new Date(this.text(name))
    return Number.isNaN(at.getTime()) ? undefined : at
  }

  isTrue(name: string): boolean {
    return this.value(name) === true
  }

  /** An object within this one. */
  object(name: string): Fields | undefined {
    return readFields(this.value(name))
  }

  /** The items of a list; empty when it is missing or not a list. */
  list(name: string): readonly unknown[] {
    const value = this.value(name)
    return Array.isArray(value) ? value : []
  }

  values(): unknown[] {
    return Object.values(this.#values)
  }
}

/** Reads a JSON object from outside; undefined when the value is not an object. */
export function readFields(value: unknown): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return new Fields(value as Record<string, unknown>)
}
