import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { envLine, exportEnv, parseEnvFile } from './env-file.ts'
import { parseEnvironment } from './environment.ts'
import { applyLayers } from './layers.ts'
import { settingRows } from './row.ts'
import { coreRows } from './rows.ts'

const base = { group: 'server', label: '', help: '' } as const
const printable = fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\p{Cc}\u2028\u2029]/u.test(text))
const awkward = fc.string({ unit: fc.constantFrom("'", '"', '`', '\\', '#', ' ', '=', '$', 'n', 'a'), maxLength: 12 })
const value = fc.oneof(printable, awkward).map((text) => text.trim())

describe('.env files', () => {
  it('give back every value that they can hold, whatever stands around it', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (values) => {
        const lines = values.map((one, index) => envLine(`N${index}`, one))
        const read = parseEnvFile(`${lines.join('\n')}\n`)
        const expected = values.flatMap((one, index) => (lines[index]?.startsWith('#') ? [] : [[`N${index}`, one]]))
        expect(read).toEqual(Object.fromEntries(expected))
      }),
    )
  })

  it.each(["it's", 'say "x"', `'"`, 'a#b', ' padded', 'C:\\new', 'back`tick', 'ends\\', 'päß', "'quoted'"])(
    'hold %j',
    (one) => {
      expect(parseEnvFile(`${envLine('NAME', one)}\nOTHER='x'\n`)).toEqual({ NAME: one, OTHER: 'x' })
    },
  )

  it('say so when a value mixes all quotes', () => {
    expect(envLine('NAME', `#'"\``)).toMatch(/^# NAME mixes quotes/)
  })
})

describe('exportEnv', () => {
  const rows = settingRows({ group: 'server' }, [
    { ...base, type: 'secret', key: 'secret', env: 'SECRET', default: null },
    { ...base, type: 'text', key: 'database_url', env: 'DATABASE_URL', default: 'sqlite:x' },
    { ...base, type: 'number', key: 'port', env: 'PORT', default: 8080, min: 0, max: 65_535 },
    { ...base, type: 'text', key: 'data_dir', env: 'DATA_DIR', default: null, environmentOnly: true },
  ])
  const values = { secret: 's3cret value', database_url: 'postgres://u:p@h/db', port: 8080, data_dir: '/data' }

  it('names secrets and passwords without showing them', () => {
    const content = exportEnv(rows, values, { secrets: false })
    expect(content).toContain('# SECRET is set')
    expect(content).toContain('# DATABASE_URL is set')
    expect(content).not.toMatch(/s3cret|u:p@/)
    expect(parseEnvFile(content)).toEqual({})
  })

  it('shows them when asked to, defaults as remarks, and never what only the environment sets', () => {
    const content = exportEnv(rows, values, { secrets: true })
    expect(parseEnvFile(content)).toEqual({ SECRET: 's3cret value', DATABASE_URL: 'postgres://u:p@h/db' })
    expect(content).toContain('# PORT=8080')
    expect(content).not.toContain('/data')
  })

  it('brings every setting over to another installation', () => {
    const core = coreRows([{ value: 'phaxio', label: 'Phaxio' }])
    const set = { max_file_size_mb: 7, allowed_hosts: 'fax.lan', fax_disabled: true, s3_kms_key_id: "it's #1 key" }
    const here = applyLayers(core, { environment: {}, saved: set }).values
    const read = parseEnvironment(core, parseEnvFile(exportEnv(core, here, { secrets: true })))
    expect(read).toEqual({ values: set, problems: [] })
  })
})
