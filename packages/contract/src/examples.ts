import type { RouteName } from './routes.ts'

/** What a call is given in the documentation. The gateway's tests make each of these calls. */
export interface Example {
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  body?: unknown
  /** The fields of a form beside the file. */
  form?: Readonly<Record<string, string>>
}

/** Ids stand for those of a fax, a key or a plugin that exists. */
const faxId = '3f2a9c0b7d5e41868a1c6f0e92b4d7a5'

const personId = '3f2a9c0b7d5e'

const groupId = '8c41d2e6a09b'

const requestId = `apr_${faxId}`

const credential = { id: 'a3Jk2b0f', rawId: 'a3Jk2b0f', type: 'public-key', clientExtensionResults: {} }
const clientDataJSON = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'
const passkeyAnswer = {
  ...credential,
  response: { clientDataJSON, authenticatorData: 'SZYN5YgO', signature: 'MEUCIQDx' },
}
const newPasskey = { ...credential, response: { clientDataJSON, attestationObject: 'o2NmbXRk' } }

const manifest = {
  id: 'acme-fax',
  name: 'Acme Fax',
  version: '1.0.0',
  allowed_domains: ['api.acme-fax.example'],
  actions: {
    send_fax: {
      method: 'POST',
      url: 'https://api.acme-fax.example/faxes',
      body: { kind: 'json', template: '{"to":"{{to}}","file":"{{file_url}}"}' },
      response: { job_id: 'id', status: 'status' },
    },
  },
}

const given: Partial<Record<RouteName, Example>> = {
  submitFax: {
    form: {
      to: '+15555550123',
      reference: 'letter-4711',
      metadata: '{"patient":"P-1029","ward":"3B"}',
      cover: 'formal',
      cover_to: 'Dr. Jane Doe',
      cover_subject: 'Results',
    },
  },
  listFaxes: { query: { status: 'SUCCESS', reference: 'letter-4711', limit: 20 } },
  createBroadcast: {
    form: {
      recipients: 'fax,name,reference\n+15555550123,Dr. Jane Doe,A-17\n+15555550188,Lakeside Clinic,A-18',
      cover: 'plain',
    },
  },
  listBroadcasts: { query: { limit: 20 } },
  listBroadcastRecipients: { query: { limit: 100 } },
  quoteFax: { form: { to: '+15555550123', cover: 'plain', cover_to: 'Dr. Jane Doe' } },
  printSeparator: { body: { to: '+15555550123', reference: 'Results, Dr. Doe' } },
  coverPreview: { body: { cover: 'formal', cover_to: 'Dr. Jane Doe', cover_note: 'Please call back.' } },
  quoteRequest: { form: { to: '+15555550123' } },
  requestFax: { form: { to: '+15555550123' } },
  getFaxRequest: { params: { id: requestId } },
  listApprovals: { query: { state: 'waiting' } },
  approveFax: { params: { id: requestId } },
  refuseFax: { params: { id: requestId } },
  getApprovalPage: { params: { id: requestId } },
  getFaxPdf: { query: { token: 'the-token-of-the-link' } },
  listJobs: { query: { status: 'SUCCESS', limit: 20 } },
  exportJobs: { query: { status: 'FAILED' } },
  countBulk: { query: { action: 'resend', status: 'FAILED' } },
  createBulk: { body: { id: faxId, action: 'resend', filter: { status: ['FAILED'] }, confirmed: 12 } },
  resolveJob: { body: { outcome: 'delivered' } },
  checkNumbers: { body: { numbers: ['+15555550123'] } },
  lookUpRecipient: { query: { to: '+15555550123' } },
  listReceived: { query: { order: 'oldest', since: '2026-11-01', limit: 20 } },
  getReceivedDocument: { query: { format: 'pdf' } },
  getLinkedReceived: { query: { token: 'the-token-of-the-link' } },
  markReceivedRead: { body: { read: true } },
  archiveReceived: { body: { ids: [faxId] } },
  listInbound: { query: { limit: 20 } },
  searchFaxes: { query: { q: 'referral' } },
  getJobMarks: { query: { q: 'referral' } },
  getInboundMarks: { query: { q: 'referral' } },
  markInboundRead: { body: { read: true } },
  markManyInboundRead: { body: { ids: [faxId], read: true } },
  markAllInboundRead: { body: { until: '2026-11-22T18:12:43.000Z' } },
  downloadInboundPdf: { body: { ids: [faxId] } },
  downloadInboundZip: { body: { ids: [faxId] } },
  simulateInbound: { body: { to: '+15555550100', pages: 2 } },
  compareTrail: { body: { entries: [{ seq: 1, hash: '0'.repeat(64) }] } },
  getReport: { query: { from: '2026-11-01', to: '2026-11-30', step: 'week', time_zone: 'Europe/Berlin' } },
  exportReport: { query: { from: '2026-11-01', to: '2026-11-30', section: 'destinations' } },
  savePrice: {
    body: {
      backend: 'phaxio',
      direction: 'sent',
      valid_from: '2026-11-01',
      currency: 'USD',
      per_page: '0.07',
      per_minute: null,
      per_call: null,
    },
  },
  createApiKey: {
    body: { name: 'Front desk', owner: 'Reception', scopes: ['fax:send', 'fax:read'], fax_access: 'own' },
  },
  signIn: { body: { email: 'jane.doe@clinic.example', password: 'four words and a comma' } },
  finishSingleSignOn: { body: { answer: '?code=the-code&state=the-state' } },
  signInWithCode: { body: { token: 'the-token-of-the-second-step', code: '123456' } },
  askForPasskey: { body: {} },
  signInWithPasskey: { body: { response: passkeyAnswer } },
  confirmAccount: { body: { password: 'four words and a comma' } },
  confirmWithPasskey: { body: { response: passkeyAnswer } },
  addTotp: { body: { token: 'the-token-of-the-secret', code: '123456' } },
  addPasskey: { body: { name: 'Phone', response: newPasskey } },
  readInvitation: { body: { token: 'the-token-of-the-link' } },
  acceptInvitation: { body: { token: 'the-token-of-the-link', password: 'four words and a comma' } },
  changePassword: { body: { current: 'four words and a comma', next: 'five words and another comma' } },
  endOwnSession: { params: { id: personId } },
  renamePasskey: { params: { id: personId }, body: { name: 'Blue key' } },
  removePasskey: { params: { id: personId } },
  resetFactors: { params: { id: personId } },
  invitePerson: { body: { name: 'Jane Doe', email: 'jane.doe@clinic.example', role: 'operator' } },
  renewInvitation: { params: { id: personId } },
  updatePerson: { params: { id: personId }, body: { role: 'sender' } },
  getPersonLeavings: { params: { id: personId }, query: { people: 'suspend' } },
  listPersonSessions: { params: { id: personId } },
  endPersonSession: { params: { id: personId, session: personId } },
  findFaxesToOpen: { body: { reason: 'Emergency admission, the ward is closed', number: '+15555550123' } },
  openFax: { body: { reason: 'Emergency admission, the ward is closed' } },
  placeHold: { body: { kind: 'number', subject: '+15555550123', reason: 'Case 2026-117' } },
  liftHold: { params: { id: personId }, body: { reason: 'The case is closed.' } },
  settleDataFolder: { body: { was: 'moved' } },
  setRetention: { body: { rules: [], version: '4f53cda18c2baa0c' } },
  exportRecords: { body: { kind: 'number', subject: '+15555550123', reason: 'Request of access, 3 May' } },
  reportRecords: { body: { kind: 'number', subject: '+15555550123', from: '2026-05-01T00:00:00.000Z' } },
  reportRecordsCsv: { body: { kind: 'number', subject: '+15555550123' } },
  listDeletions: { query: { limit: 50 } },
  endSessions: { params: { id: personId } },
  createGroup: { body: { name: 'Cardiology' } },
  renameGroup: { params: { id: groupId }, body: { name: 'Cardiology, ward 3B' } },
  deleteGroup: { params: { id: groupId } },
  addGroupNumber: { params: { id: groupId, number: '+15555550100' } },
  setGroupCallingNumber: { params: { id: groupId }, body: { number: '+15555550102' } },
  removeGroupNumber: { params: { id: groupId, number: '+15555550100' } },
  addGroupMember: { params: { id: groupId, person: personId } },
  removeGroupMember: { params: { id: groupId, person: personId } },
  updateSettings: { body: { retry_busy_times: 4, fax_resolution: 'standard' } },
  validateSettings: { body: { backend: 'sip', ami_host: '127.0.0.1' } },
  persistSettings: { body: {} },
  listLogs: { query: { event: 'job_created', limit: 50 } },
  tailLogFile: { query: { lines: 100 } },
  updatePluginConfig: { params: { id: 'phaxio' }, body: { enabled: true, settings: { verify_signature: true } } },
  getPluginConfig: { params: { id: 'phaxio' } },
  removePlugin: { params: { id: manifest.id } },
  validateManifest: { body: { manifest, to: '+15555550123', render_only: true } },
  installManifest: { body: { manifest } },
  importManifests: { body: { items: [manifest] } },
  createWebhook: {
    body: { url: 'https://hooks.example.com/faxdeck', events: ['fax.delivered', 'fax.failed', 'inbound.received'] },
  },
  updateWebhook: { body: { enabled: false } },
  rotateWebhookSecret: { body: { keep_hours: 24 } },
  listWebhookDeliveries: { query: { state: 'failed', limit: 50 } },
  getWebhookDelivery: { params: { id: 'msg_0123456789abcdef0123456789abcdef' } },
  replayWebhook: { body: { since: '2026-11-22T18:12:43.000Z', messages: 'failed' } },
  replayWebhookDelivery: { params: { id: 'msg_0123456789abcdef0123456789abcdef' } },
  createOwnWebhook: {
    body: { url: 'https://hooks.example.com/faxdeck', events: ['fax.delivered', 'fax.failed'] },
  },
  updateOwnWebhook: { body: { enabled: false } },
  rotateOwnWebhookSecret: { body: { keep_hours: 24 } },
  listOwnWebhookDeliveries: { query: { state: 'failed', limit: 50 } },
  getOwnWebhookDelivery: { params: { id: 'msg_0123456789abcdef0123456789abcdef' } },
  replayOwnWebhook: { body: { since: '2026-11-22T18:12:43.000Z', messages: 'failed' } },
  replayOwnWebhookDelivery: { params: { id: 'msg_0123456789abcdef0123456789abcdef' } },
  runAction: { body: { id: 'version_report' } },
  configureTunnel: { body: { enabled: false, provider: 'none' } },
  redeemPairing: { body: { code: 'ABCD-EFGH', name: 'Phone of the front desk' } },
}

const places: Readonly<Record<string, string | number>> = { id: faxId, page: 1 }

/** Keys have shorter ids. */
const placeOf = (path: string, part: string) =>
  path.startsWith('/admin/api-keys/') && part === 'id' ? '3f2a9c0b7d5e' : places[part]

/** The example of a call; the parts of its path that it does not name get a general one. */
export function exampleOf(name: RouteName, path: string): Example {
  const example = given[name] ?? {}
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, part = '']) => [part, placeOf(path, part) ?? part] as const)
  return { ...example, params: { ...Object.fromEntries(inPath), ...example.params } }
}
