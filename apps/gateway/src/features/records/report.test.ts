import { describe, expect, it } from 'vitest'
import { delivered, groupWith } from '../../access/groups/testing/two-groups.ts'
import { signedIn } from '../../testing/browser.ts'
import { startGateway } from '../../testing/start-gateway.ts'

async function started() {
  const gateway = await startGateway({ env: { FAX_HEADER: 'Example Clinic' } })
  const { browser: kim, person } = await groupWith(gateway, {
    name: 'Ours',
    number: '+15555550110',
    person: 'nurse.kim',
  })
  const id = await delivered(gateway, kim, { to: '+15555559871' })
  const other = await delivered(gateway, kim, { to: '+15555559872', word: 'Another' })
  await kim.ask('GET', `/admin/fax-jobs/${id}/pages/1?width=128`)
  await kim.ask('GET', `/admin/fax-jobs/${id}/pages/1`)
  const csv = async (body: object) => {
    const answer = await gateway.client.reportRecordsCsv({ body: body as never })
    return answer.text()
  }
  return { ...gateway, kim, person, id, other, csv }
}

describe('a report of the audit trail', () => {
  it('says of a fax who did what, for whom it is made, and that the chain holds; thumbnails are left out', async () => {
    const { csv, id, client } = await started()
    const text = await csv({ kind: 'fax', subject: id })
    expect(text).toMatch(/^Audit report,\r\nOrganization,Example Clinic\r\nAbout,Fax [0-9a-f]{32}\r\n/)
    expect(text).toMatch(/Made by,Bootstrap key\r\n/)
    expect(text).toMatch(/Audit trail,"?Verified for this report: all \d+ entries/)
    expect(text).toMatch(/,Document opened,nurse.kim,/)
    expect(text).toMatch(/,Fax accepted for sending,nurse.kim,/)
    expect(text).toMatch(/,Sending progress,.*status delivered.*test only: nothing was sent or received/)
    expect(text).toContain('left out: 1.')
    expect(text).not.toContain('Thumbnail shown')
    const { items } = await client.listLogs({ query: { event: 'report_made' } })
    expect(items).toMatchObject([{ kind: 'fax', job_id: id, key_id: 'bootstrap' }])
  })

  it('says of a number only what is about it, and of a person by any name that they had', async () => {
    const { csv, id, other, client, person } = await started()
    const ofNumber = await csv({ kind: 'number', subject: '(555) 555-9871' })
    expect(ofNumber).toContain(id)
    expect(ofNumber).not.toContain(other)
    await client.updatePerson({ params: { id: person.id }, body: { name: 'Kim Park' } })
    for (const subject of ['Nurse.Kim', 'Kim Park', person.id]) {
      const text = await csv({ kind: 'person', subject })
      expect(text).toContain(`About,Kim Park (person ${person.id})`)
      expect([text.includes(id), text.includes(other)]).toEqual([true, true])
    }
    const none = csv({ kind: 'person', subject: 'Nobody' })
    await expect(none).rejects.toMatchObject({ answer: { code: 'person_not_found' } })
    expect(await csv({ kind: 'fax', subject: id, until: '2020-01-01T00:00:00.000Z' })).toContain('Entries,"0. ')
  })

  it('is a PDF as well, which an auditor can make, and an operator cannot', async () => {
    const gateway = await started()
    const { browser: auditor } = await signedIn(gateway, 'auditor')
    const { browser: operator } = await signedIn(gateway, 'operator')
    const json = { kind: 'fax', subject: gateway.id }
    expect((await operator.ask('POST', '/admin/records/report', { json })).status).toBe(403)
    expect((await auditor.ask('POST', '/admin/records/report', { json })).status).toBe(200)
    const pdf = await gateway.client.reportRecords({ body: json as never })
    expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
  })
})
