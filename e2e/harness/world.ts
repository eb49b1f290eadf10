import { type Client, webhookEvents } from '../../packages/contract/src/index.ts'
import { pdfFile } from './paper.ts'
import { waitFor } from './wait.ts'

const letter = ['Dear colleague,', 'thank you for seeing this patient.', 'With kind regards']
const longName = `Referral of a patient with a long and complicated history, second version (${'final '.repeat(18).trim()}).pdf`

/** Every outcome the test line has, by its magic number; 0106 waits for a person. */
const documents = [
  { end: '0123', name: 'referral-cardiology.pdf', pages: 3 },
  { end: '0100', name: 'lab-results.pdf', pages: 2 },
  { end: '0101', name: 'discharge-summary.pdf', pages: 4 },
  { end: '0102', name: 'prescription.pdf', pages: 1 },
  { end: '0103', name: 'insurance-form.pdf', pages: 2 },
  { end: '0106', name: 'consent.pdf', pages: 1 },
] as const

const manifest = {
  id: 'acme-fax',
  name: 'Acme Fax',
  version: '2.1.0',
  description: 'Sends over the Acme API.',
  auth: { scheme: 'bearer' },
  allowed_domains: ['api.acme.example'],
  actions: {
    send_fax: {
      method: 'POST',
      url: 'https://api.acme.example/v1/faxes',
      body: { kind: 'multipart', template: 'to={{to}}&file={{file}}' },
      response: { job_id: 'data.id', status: 'data.status' },
    },
  },
}

const send = (client: Client, end: string, name: string, pages: number) =>
  client.submitFax({ form: { to: `+1555555${end}`, file: pdfFile(name, Array<string[]>(pages).fill(letter)) } })

/**
 * Fills a gateway with what an operator sees after a day: faxes of every outcome, received ones, keys, a webhook, an
 * installed plugin, the endpoints for assistants.
 */
export async function fillWorld(client: Client): Promise<void> {
  await Promise.all(documents.map(({ end, name, pages }) => send(client, end, name, pages)))
  await client.simulateInbound({ body: { fr: '+442079460958', pages: 3, status: 'received' } })
  await client.simulateInbound({ body: { status: 'failed', pages: 1 } })
  await client.createApiKey({ body: { name: 'Front desk', owner: 'Dr. Alvarez', scopes: ['fax:send', 'fax:read'] } })
  await client.createApiKey({
    body: { name: 'Archive', owner: 'Records', scopes: ['fax:read', 'inbound:list', 'inbound:read'] },
  })
  await client.installManifest({ body: { manifest } })
  await client.updateSettings({ body: { enable_mcp_http: true, enable_mcp_sse: true, require_mcp_approval: true } })
  await askAsAssistant(client)
  await haveStaff(client)
  await ended(client, 1)
  // Nothing of what it waits for happens from now on: no message leaves the machine.
  const url = 'https://records.clinic.example/hooks/faxdeck'
  await client.createWebhook({ body: { url, description: 'Patient records', events: ['inbound.failed'] } })
}

/** People who were invited, a group with a number and a member, and a number under a legal hold. */
async function haveStaff(client: Client): Promise<void> {
  const person = await client.invitePerson({
    body: { name: 'Jane Doe', email: 'jane.doe@clinic.example', role: 'member' },
  })
  await client.invitePerson({ body: { name: 'Omar Haddad', email: 'omar@clinic.example', role: 'operator' } })
  const { id } = await client.createGroup({ body: { name: 'Cardiology' } })
  await client.addGroupNumber({ params: { id, number: '+15555550110' } })
  await client.addGroupMember({ params: { id, person: person.person.id } })
  await client.placeHold({
    body: { kind: 'number', subject: '+15555550123', reason: 'Request of the court, file 4711' },
  })
}

/** What an assistant asks for: one fax was refused, another still waits for a person. */
async function askAsAssistant(client: Client): Promise<void> {
  const { token } = await client.createApiKey({ body: { name: 'Front desk assistant', scopes: ['fax:send'] } })
  const ask = (end: string, name: string) =>
    client.requestFax(
      { form: { to: `+1555555${end}`, file: pdfFile(name, [letter, letter]) } },
      { headers: { 'x-api-key': token } },
    )
  const { approval } = await ask('0144', 'newsletter.pdf')
  if (approval) await client.refuseFax({ params: { id: approval.id } })
  await ask('0123', 'referral-letter.pdf')
}

/** Adds what shows how a screen copes: names as long as names may be, owners that cannot be broken. */
export async function addLongValues(client: Client): Promise<void> {
  await send(client, '0123', longName, 3)
  const name = 'A key whose name is as long as a name may be, so that it shows what a table does with it, one hundred'
  await client.createApiKey({
    body: { name: name.slice(0, 100), scopes: ['fax:read', 'inbound:list', 'inbound:read'] },
  })
  await client.createApiKey({ body: { owner: 'Nobodywithaverylongunbrokenname'.repeat(3), scopes: ['keys:manage'] } })
  const url = `https://functions.example/${'a-part-of-a-long-address/'.repeat(40)}?${'key'.repeat(300)}`
  const { id } = await client.createWebhook({ body: { url, description: name, events: [...webhookEvents] } })
  await client.updateWebhook({ params: { id }, body: { enabled: false } })
  const email = `${'a.long.name'.repeat(5)}@${'a-part-of-a-domain.'.repeat(8)}example`
  await client.invitePerson({ body: { name: name.slice(0, 100), email, role: 'auditor' } })
  await client.createGroup({ body: { name: name.slice(0, 100) } })
  await client.placeHold({ body: { kind: 'number', subject: '+15555550100', reason: `${name} `.repeat(4).trim() } })
  await ended(client, 2)
}

const ended = (client: Client, delivered: number) =>
  waitFor('the faxes to be delivered and received, and one to be uncertain and one partial', async () => {
    const { total } = await client.listJobs({ query: { status: 'SUCCESS', limit: 1 } })
    const { total: waiting } = await client.listJobs({ query: { status: 'attention', limit: 1 } })
    const inbox = await client.listInbound({ query: { status: 'received' } })
    return (total === delivered && waiting === 2 && inbox.length >= delivered + 1) || undefined
  })
