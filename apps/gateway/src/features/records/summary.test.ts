import { execFileSync } from 'node:child_process'
import { unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { delivered, groupWith } from '../../access/groups/testing/two-groups.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { exportName } from './summary.ts'

async function exported() {
  const gateway = await startGateway({ env: { FAX_HEADER: 'Example Clinic', TIME_ZONE: 'Pacific/Kiritimati' } })
  const { browser } = await groupWith(gateway, { name: 'Ours', number: '+15555550110', person: 'nurse.kim' })
  const fields = { cover: 'plain', cover_subject: 'Results' }
  const id = await delivered(gateway, browser, { to: '+15555559871', fields })
  const body = { kind: 'number', subject: '+15555559871', reason: 'Case 7' } as const
  const zip = await gateway.client.exportRecords({ body })
  const files = unzipSync(Buffer.from(await zip.arrayBuffer()))
  const named = (part: string) => Object.keys(files).find((name) => name.includes(part)) ?? ''
  return { id, files, named }
}

const read = (program: string, pdf: Uint8Array, ...args: string[]) =>
  execFileSync(program, args, { input: pdf }).toString().replaceAll(/\s+/g, ' ')

function hasPoppler(): boolean {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('an export that is handed on', () => {
  it.skipIf(!hasPoppler())('begins with a summary for people, and holds the fax as it was sent', async () => {
    const { id, files, named } = await exported()
    expect(named(`${id}/original`)).toMatch(/\/original\.txt$/)
    const asSent = files[named(`${id}/as-sent`)] ?? new Uint8Array()
    // The cover, and the page.
    expect(read('pdfinfo', asSent, '-')).toContain('Pages: 2 ')
    expect(Object.keys(files).toSorted()[0]).toBe('00-summary.pdf')
    const summary = read('pdftotext', files['00-summary.pdf'] ?? new Uint8Array(), '-layout', '-', '-')
    expect(summary).toContain('Example Clinic')
    expect(summary).toContain('Number +15555559871')
    expect(summary).toMatch(/Sent to \+15555559871, by nurse\.kim: delivered, 2 pages/)
    expect(summary).not.toContain('’+')
    expect(summary).toContain('Local time of this installation (Pacific/Kiritimati)')
    expect(summary).toMatch(/Exported \d+ \w+ \d+, \d\d:\d\d GMT\+14/)
  })

  it('is named after whom it is about and the day, without a whole number', () => {
    const made = { id: 'a', at: '2026-05-03T10:00:00.000Z', by: 'bootstrap', byName: null, reason: 'r' }
    const number = { kind: 'number', number: '+15555550123', country: 'US' } as const
    expect(exportName({ ...made, subject: number })).toBe('faxdeck-records_number-ending-0123_2026-05-03.zip')
    const person = { kind: 'person', person: 'p', actor: 'person:p', name: 'Jane Döe' } as const
    expect(exportName({ ...made, subject: person })).toBe('faxdeck-records_Jane-Döe_2026-05-03.zip')
  })
})
