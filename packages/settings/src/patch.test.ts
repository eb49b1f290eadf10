import { describe, expect, it } from 'vitest'
import { validatePatch } from './patch.ts'
import { settingRows } from './row.ts'

const base = { group: 'server', label: '', help: '' } as const
const rows = settingRows({ group: 'server' }, [
  { ...base, type: 'text', key: 'gateway_name', keyAliases: ['fs_gateway_name'], env: 'A', default: null },
  { ...base, type: 'secret', key: 'api_secret', env: 'B', default: null },
  { ...base, type: 'number', key: 'rpm', env: 'C', default: 60, min: 0, max: 100 },
  { ...base, type: 'text', key: 'data_dir', env: 'DATA_DIR', default: null, environmentOnly: true },
])

describe('validatePatch', () => {
  it('takes values by either name and reads numbers that come as text', () => {
    expect(validatePatch(rows, { fs_gateway_name: 'gw1', rpm: '30' })).toEqual({
      values: { gateway_name: 'gw1', rpm: 30 },
      problems: [],
    })
  })

  it('clears with null and with empty text', () => {
    expect(validatePatch(rows, { gateway_name: null, api_secret: '' }).values).toEqual({
      gateway_name: null,
      api_secret: null,
    })
  })

  it('ignores a masked secret that is given back', () => {
    expect(validatePatch(rows, { api_secret: '***wxyz' })).toEqual({ values: {}, problems: [] })
  })

  it('names every field that cannot be taken', () => {
    expect(
      validatePatch(rows, { no_such_setting: 1, rpm: 'many', data_dir: '/tmp', gateway_name: 'ok' }).problems,
    ).toEqual([
      { field: 'no_such_setting', message: 'There is no such setting.' },
      { field: 'rpm', message: 'It must be a whole number from 0 to 100.' },
      { field: 'data_dir', message: 'It can only be set by the environment variable DATA_DIR.' },
    ])
  })

  it('refuses two names of one setting that disagree', () => {
    expect(validatePatch(rows, { gateway_name: 'a', fs_gateway_name: 'b' }).problems).toHaveLength(1)
    expect(validatePatch(rows, { gateway_name: 'a', fs_gateway_name: 'a' }).problems).toEqual([])
  })

  it('is not fooled by names that every object has', () => {
    const { problems } = validatePatch(
      rows,
      JSON.parse('{"__proto__": 1, "constructor": 2, "toString": 3}') as Record<string, unknown>,
    )
    expect(problems.map(({ field }) => field)).toEqual(['__proto__', 'constructor', 'toString'])
  })
})
