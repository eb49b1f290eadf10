import { describe, expect, it } from 'vitest'
import { shapeOf } from './schema-shape.mjs'

const id = { type: 'string', pattern: '^[0-9a-f]{32}$' }

describe('a schema written as a type', () => {
  it.each([
    [{ type: 'boolean' }, 'boolean'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ enum: ['queued', 'SUCCESS'] }, '"queued" | "SUCCESS"'],
    [{ const: true }, 'true'],
    [{ anyOf: [id, { type: 'null' }] }, 'id | null'],
    [{ type: 'string', format: 'date-time', pattern: '…' }, 'instant'],
    [{ type: 'array', items: id }, 'id[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [name]: number }'],
    [{}, 'anything'],
  ])('%j is %s', (schema, shape) => {
    expect(shapeOf(schema)).toBe(shape)
  })

  it('marks what may be left out, on one line while that is short', () => {
    const properties = { id, pages: { type: 'integer' } }
    expect(shapeOf({ type: 'object', properties, required: ['id'] })).toBe('{ id: id, pages?: integer }')
  })

  it('says the limits and the default of a value beside it', () => {
    const limit = { type: 'integer', minimum: 1, maximum: 200, default: 50 }
    const name = { type: 'string', minLength: 1, maxLength: 100 }
    expect(shapeOf({ type: 'object', properties: { limit, name } })).toBe(
      '{\n  limit?: integer // 1 to 200, default 50\n  name?: string // at most 100 characters\n}',
    )
  })

  it('does not mention the limits that every whole number has', () => {
    const count = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    expect(shapeOf({ type: 'object', properties: { count }, required: ['count'] })).toBe('{ count: integer }')
  })
})
