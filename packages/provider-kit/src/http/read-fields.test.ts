import { describe, expect, it } from 'vitest'
import { parseJson, readFields } from './read-fields.ts'

describe('fields from outside', () => {
  it.each([undefined, null, 'text', 7, [{ id: 1 }]])('are not read of %j', (value) => {
    expect(readFields(value)).toBeUndefined()
  })

  it('have a text for texts, or for numbers too, and none for anything else', () => {
    const fields = readFields({ a: 'one', b: 12, c: null, d: {}, e: true })
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    expect(names.map((name) => fields?.text(name))).toEqual(['one', '', '', '', '', ''])
    expect(names.map((name) => fields?.textOrNumber(name))).toEqual(['one', '12', '', '', '', ''])
  })

  it('count in whole numbers from 0 to a limit', () => {
    const values = {
      a: 3,
      b: '04',
      c: -1,
      d: 1.5,
      e: '',
      f: '1e3',
      g: 1_000_000,
      h: Number.NaN,
      i: '99999999999999999',
    }
    const fields = readFields(values)
    expect(Object.keys(values).flatMap((name) => fields?.count(name) ?? [])).toEqual([3, 4])
    expect(fields?.count('g', Number.MAX_SAFE_INTEGER)).toBe(1_000_000)
  })

  it('have dates, objects and lists, and nothing where something else came', () => {
    const fields = readFields({ at: '2026-11-23T10:00:00Z', none: 'soon', inner: { a: 'x' }, list: [1, 'b'] })
    expect(fields?.date('at')?.toISOString()).toBe('2026-11-23T10:00:00.000Z')
    expect(fields?.date('none')).toBeUndefined()
    expect(fields?.date('missing')).toBeUndefined()
    expect(fields?.object('inner')?.text('a')).toBe('x')
    expect(fields?.object('list')).toBeUndefined()
    expect([fields?.list('list'), fields?.list('inner')]).toEqual([[1, 'b'], []])
  })

  it('are never those that every object inherits', () => {
    const fields = readFields(parseJson('{"__proto__":{"id":"x"}}'))
    expect([fields?.value('constructor'), fields?.text('id')]).toEqual([undefined, ''])
  })
})

describe('a JSON text', () => {
  it('is its value, and undefined when it is not JSON', () => {
    expect([parseJson('{"a":1}'), parseJson(''), parseJson('<html>')]).toEqual([{ a: 1 }, undefined, undefined])
  })
})
