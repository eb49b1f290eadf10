const received = 'Programs follow what arrives; the console has its own calls for received faxes.'
const webhooks = 'Programs manage the webhooks of their key; the console manages all.'

/** Calls for programs, each within what its key sees; the console has its own for everything. */
export const ofPrograms = {
  listFaxes: 'Programs list what their key sees; the console lists jobs.',
  cancelFax: 'Programs cancel what their key sees; the console cancels jobs.',
  resendFax: 'Programs send again what their key sees; the console sends jobs again.',
  getFaxDocument: 'Programs fetch it; the console asks for the PDF of a job.',
  listReceived: received,
  getReceived: received,
  getReceivedDocument: received,
  markReceivedRead: received,
  deleteReceived: received,
  archiveReceived: received,
  getLinkedReceived: 'Receivers of webhooks open it by its link.',
  listOwnWebhooks: webhooks,
  createOwnWebhook: webhooks,
  updateOwnWebhook: webhooks,
  removeOwnWebhook: webhooks,
  rotateOwnWebhookSecret: webhooks,
  testOwnWebhook: webhooks,
  listOwnWebhookDeliveries: webhooks,
  listWebhookEvents: 'Programs read the schemas of messages; the console shows the guide.',
  getOwnWebhookDelivery: webhooks,
  replayOwnWebhook: webhooks,
  replayOwnWebhookDelivery: webhooks,
}
