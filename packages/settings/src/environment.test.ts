import { describe, expect, it } from 'vitest'
import { parseEnvironment } from './environment.ts'
import { settingRows } from './row.ts'
import { coreRows } from './rows.ts'

const rows = coreRows([{ value: 'phaxio', label: 'Phaxio' }])

describe('parseEnvironment', () => {
  it('reads what is set and takes an empty variable for not set', () => {
    const { values, problems } = parseEnvironment(rows, { PORT: '9090', FAX_DISABLED: 'yes', PUBLIC_API_URL: ' ' })
    expect(values).toEqual({ port: 9090, fax_disabled: true })
    expect(problems).toEqual([])
  })

  it('lists every problem at once, each as a sentence that names the variable', () => {
    const { problems } = parseEnvironment(rows, {
      MAX_FILE_SIZE_MB: 'many',
      FAX_BACKEND: 'pigeon',
      TRUSTED_PROXIES: '10.0.0.0/33',
      PDF_TOKEN_TTL_MINUTES: '5',
    })
    expect(problems).toEqual([
      'FAX_BACKEND is "pigeon". It must be one of phaxio.',
      'TRUSTED_PROXIES is "10.0.0.0/33". "10.0.0.0/33" is not an address or a network such as 10.1.0.0/16.',
      'MAX_FILE_SIZE_MB is "many". It must be a whole number from 1 to 50.',
      'PDF_TOKEN_TTL_MINUTES is "5". It is fixed at 60.',
    ])
  })

  it('never repeats a secret in a problem', () => {
    const { problems } = parseEnvironment(rows, { FAXDECK_MASTER_KEY: 'hunter2hunter2' })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain('FAXDECK_MASTER_KEY cannot be used.')
    expect(problems[0]).not.toContain('hunter2')
  })

  it('takes the first name that is set', () => {
    const aliased = settingRows({ group: 'server' }, [
      {
        type: 'text',
        key: 'url',
        env: 'URL',
        envAliases: ['OLD_URL'],
        group: 'server',
        label: '',
        help: '',
        default: null,
      },
    ])
    expect(parseEnvironment(aliased, { OLD_URL: 'old' }).values).toEqual({ url: 'old' })
    expect(parseEnvironment(aliased, { URL: 'new', OLD_URL: 'old' }).values).toEqual({ url: 'new' })
  })
})
