import type { Client } from '../../packages/contract/src/index.ts'
import { pdfFile } from './paper.ts'
import { waitFor } from './wait.ts'

const longName = `Referral of a patient with a long and complicated history, second version (${'final '.repeat(18).trim()}).pdf`
const letter = ['Dear colleague,', 'thank you for seeing this patient.', 'With kind regards']

/** Every outcome the test line has, by its magic number; 0106 waits for a person. */
const numbers = ['0123', '0100', '0101', '0102', '0103', '0106'].map((end) => `+1555555${end}`)

/** Fills a gateway with what an operator sees after a day: faxes of every outcome, received ones, keys; some names are long. */
export async function fillWorld(client: Client): Promise<void> {
  const outcomes = numbers.map((to) => client.submitFax({ form: { to, file: pdfFile('letter.pdf', [letter]) } }))
  const long = { to: '+15555550123', file: pdfFile(longName, [letter, letter, letter]) }
  await Promise.all([...outcomes, client.submitFax({ form: long })])
  await client.simulateInbound({ body: { fr: '+442079460958', pages: 3, status: 'received' } })
  await client.simulateInbound({ body: { status: 'failed', pages: 1 } })
  await client.createApiKey({ body: { name: 'Front desk', owner: 'Dr. Alvarez', scopes: ['fax:send', 'fax:read'] } })
  const name = 'A key whose name is as long as a name may be, so that it shows what a table does with it, one hundred'
  await client.createApiKey({
    body: { name: name.slice(0, 100), scopes: ['fax:read', 'inbound:list', 'inbound:read'] },
  })
  await client.createApiKey({ body: { owner: 'Nobodywithaverylongunbrokenname'.repeat(3), scopes: ['keys:manage'] } })
  await waitFor('two faxes to be delivered and received, and one to be uncertain', async () => {
    const { total } = await client.listJobs({ query: { status: 'SUCCESS', limit: 1 } })
    const { total: uncertain } = await client.listJobs({ query: { status: 'attention', limit: 1 } })
    const inbox = await client.listInbound({ query: { status: 'received' } })
    return (total === 2 && uncertain === 1 && inbox.length >= 3) || undefined
  })
}
