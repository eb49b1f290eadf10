import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from './routes.ts'
import type { RouteRow } from './route.ts'

const said = (schema: z.ZodType, given: unknown) =>
  schema.safeParse(given).error?.issues.map(({ path, message }) => [path.join('.'), message].join(' '))

describe('what does not fit a schema', () => {
  it.each<[string, z.ZodType, unknown, string]>([
    ['a missing field', z.object({ to: z.string() }), {}, 'to It is missing. It must be a text.'],
    ['another kind', z.object({ to: z.string() }), { to: 5 }, 'to It must be a text.'],
    ['a list that is none', z.array(z.string()), {}, ' It must be a list.'],
    ['a number that is none', z.coerce.number(), 'abc', ' It must be a number.'],
    ['a part of a number', z.number().int(), 1.5, ' It must be a whole number.'],
    ['a choice', z.enum(['auto', 'text']), 'wild', ' It must be one of auto, text.'],
    ['a missing choice', z.enum(['auto', 'text']), undefined, ' It is missing. It must be one of auto, text.'],
    ['the only choice', z.literal('now'), 'later', ' It must be now.'],
    ['a number below', z.number().min(1), 0, ' It must be at least 1.'],
    ['a number above', z.number().lt(10), 10, ' It must be less than 10.'],
    ['an empty text', z.string().min(1), '', ' It must not be empty.'],
    ['a long text', z.string().max(3), 'abcd', ' It must have at most 3 characters.'],
    ['a long list', z.array(z.string()).max(1), ['a', 'b'], ' It must have at most 1 entry.'],
    ['a time', z.iso.datetime(), 'never', ' It must be a date and time like 2026-11-22T09:30:00Z.'],
    ['a pattern', z.string().regex(/^a$/), 'b', ' It must be in the format described in the reference.'],
    ['a field too many', z.strictObject({}), { nope: 1 }, ' There is no "nope" here.'],
    [
      'paging by a number',
      z.strictObject({}),
      { offset: 1 },
      ' There is no "offset" here. Lists are paged by cursor: pass the one from the previous page as "cursor".',
    ],
    ['alternatives', z.union([z.enum(['a', 'b']), z.literal('c')]), 'd', ' It must be one of a, b, or c.'],
    ['an own sentence', z.string().regex(/^a$/, 'Say a.'), 'b', ' Say a.'],
  ])('is said in a sentence: %s', (_name, schema, given, sentence) => {
    expect(said(schema, given)).toEqual([sentence])
  })

  const parts = ['params', 'query', 'body', 'form'] as const
  const schemas = Object.entries<RouteRow>(routes).flatMap(([name, row]) =>
    parts.flatMap((part) => (row[part] ? [[`${part} of ${name}`, row[part]] as const] : [])),
  )
  it.each(schemas)('is said in our words: %s', (_name, schema) => {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : ['field']
    const garbage = [undefined, 5, '', [], {}, { field: { of: 'another' } }]
    const filled = [-1.5, 1e12, '', 'x'.repeat(5000), null, [{}], ['x', 'x'], {}, true].map((value) =>
      Object.fromEntries(fields.map((field) => [field, value])),
    )
    for (const given of [...garbage, ...filled]) {
      for (const sentence of said(schema, given) ?? []) {
        expect(sentence).not.toMatch(/Invalid|expected |Too (small|big)|Unrecognized/)
      }
    }
  })
})
