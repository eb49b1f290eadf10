import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { afterAll, describe, expect, it } from 'vitest'
import { testline } from './index.ts'
import { openTestLine } from './send.ts'
import { FakeHost } from './testing/fake-host.ts'

const directory = await mkdtemp(join(tmpdir(), 'testline-'))
afterAll(() => rm(directory, { recursive: true }))

describeProvider(testline, {
  settings: {},
  sending: {
    faults: ['a refused connection'],
    lineWith: async (_fault, settings) => {
      const line = openTestLine(new FakeHost(directory), settings)
      await line.close?.()
      return line
    },
  },
})

describe('the check of the test line', () => {
  const run = (host: FakeHost) => testline.checks[0]?.run({}, host, AbortSignal.timeout(5000), { receiving: false })

  it('passes where the line can write', async () => {
    expect(await run(new FakeHost(directory))).toEqual({ passed: true })
  })

  it('fails, with the reason, where it cannot', async () => {
    expect(await run(new FakeHost('/dev/null/nowhere'))).toMatchObject({
      passed: false,
      detail: expect.stringContaining('ENOTDIR') as unknown,
    })
  })
})
