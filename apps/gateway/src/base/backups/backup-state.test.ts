import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { backUp } from '../../upkeep/backup.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { readLastBackup } from './last-backup.ts'

const day = 86_400_000

/** A gateway with one fax, real or of the test line, and what its screens say of backups as days pass. */
async function gateway(isReal: boolean) {
  let ms = Date.parse('2026-11-01T08:00:00Z')
  const provider = { FAX_DISABLED: 'false', FAX_BACKEND: 'phaxio', PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's' }
  const closed = { PHAXIO_BASE_URL: 'http://127.0.0.1:9/v2.1' }
  const made = await startGateway({ env: isReal ? { ...provider, ...closed } : {}, now: () => new Date(ms) })
  const file = new File(['hello'], 'hello.txt')
  await made.client.submitFax({ form: { to: '+13035551234', file } })
  const metrics = async () => {
    const answer = await made.app.inject({
      url: '/metrics',
      headers: { host: 'localhost' },
      remoteAddress: '127.0.0.1',
    })
    return answer.body.split('\n').filter((line) => line.startsWith('faxdeck_backup_age_seconds'))
  }
  return {
    ...made,
    pass: (days: number) => (ms += days * day),
    backUp: (target: string) =>
      backUp({ directory: made.directory, target, env: {}, now: new Date(ms), onProgress: () => undefined }),
    said: async () => {
      const { attention } = await made.client.getActivity({ query: {} })
      const { findings } = await made.client.runDiagnostics({})
      const found = findings.find(({ check }) => check === 'backup')
      return {
        dashboard: attention.filter(({ kind }) => kind === 'backup').map(({ sentence }) => sentence),
        doctor: found && [found.passed, found.passed ? found.detail : found.sentence],
        metrics: await metrics(),
      }
    },
  }
}

describe('the age of the last backup', () => {
  it('is shown everywhere, and too old after eight days', async () => {
    const { pass, said, backUp: make } = await gateway(true)
    expect(await said()).toEqual({ dashboard: [], doctor: [true, 'none known'], metrics: [] })
    pass(9)
    const never = expect.stringMatching(/^This installation was never backed up\. Run "faxdeck backup"/) as string
    expect(await said()).toEqual({ dashboard: [never], doctor: [false, never], metrics: [] })
    const target = mkdtempSync(join(tmpdir(), 'faxdeck-kept-'))
    onTestFinished(() => rmSync(target, { recursive: true, force: true }))
    await make(target)
    pass(1)
    const detail = expect.stringContaining(`2026-11-10T08:00:00.000Z, in ${target}`) as string
    expect(await said()).toEqual({
      dashboard: [],
      doctor: [true, detail],
      metrics: ['faxdeck_backup_age_seconds{complete="true"} 86400'],
    })
    pass(11)
    const old = expect.stringMatching(/^The last backup is 12 days old\./) as string
    expect(await said()).toMatchObject({ dashboard: [old], doctor: [false, old] })
  })

  it('matters to nobody who only tried the test line', async () => {
    const { pass, said } = await gateway(false)
    pass(30)
    expect(await said()).toMatchObject({ dashboard: [], doctor: [true, 'none known'] })
  })

  it('is unknown where its note is damaged', async () => {
    const { directory } = await gateway(false)
    writeFileSync(join(directory, 'last-backup.json'), '{"made_at":')
    expect(readLastBackup(directory)).toBeUndefined()
  })
})
