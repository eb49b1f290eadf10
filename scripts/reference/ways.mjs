const fax = '3f2a9c0b7d5e41868a1c6f0e92b4d7a5'
const received = '7c4e1f2a9b0d4c638e5f7a1b2c3d4e5f'
const broadcast = '9b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e'
const webhook = '5d4c3b2a19087f6e5d4c3b2a19087f6e'

const node = (...lines) =>
  ["import { Faxdeck } from 'faxdeck'", '', 'const faxdeck = new Faxdeck()', ...lines].join('\n')
const python = (...lines) => ['from faxdeck import Faxdeck', '', 'faxdeck = Faxdeck()', ...lines].join('\n')

/**
 * How the client libraries and the command line make a call, where they have one way; their address and key are in the
 * environment. `ways.test.ts` runs each against a gateway.
 * @type {Record<string, { node?: string, python?: string, cli?: string }>}
 */
export const ways = {
  health: {
    node: node('console.log(await faxdeck.checkHealth())'),
    python: python('print(faxdeck.check_health())'),
  },
  submitFax: {
    node: node(
      'const fax = await faxdeck.send({',
      "  to: '+15555550123',",
      "  file: 'letter.pdf',",
      "  reference: 'letter-4711',",
      "  metadata: { patient: 'P-1029', ward: '3B' },",
      '})',
      'console.log(fax.id)',
    ),
    python: python(
      'fax = faxdeck.send(',
      '    "+15555550123",',
      '    "letter.pdf",',
      '    reference="letter-4711",',
      '    metadata={"patient": "P-1029", "ward": "3B"},',
      ')',
      'print(fax.id)',
    ),
    cli: 'faxdeck send letter.pdf +15555550123 --cover formal --cover-to "Dr. Alvarez"',
  },
  getFax: {
    node: node(`const fax = await faxdeck.wait('${fax}')`, 'console.log(fax.status, fax.pages_confirmed, fax.error)'),
    python: python(`fax = faxdeck.wait("${fax}")`, 'print(fax.status, fax.pages_confirmed, fax.error)'),
    cli: `faxdeck status ${fax}`,
  },
  listFaxes: {
    node: node(
      "for await (const fax of faxdeck.list({ status: 'SUCCESS', reference: 'letter-4711' })) {",
      '  console.log(fax.id, fax.status)',
      '}',
    ),
    python: python(
      'for fax in faxdeck.list(status="SUCCESS", reference="letter-4711"):',
      '    print(fax.id, fax.status)',
    ),
    cli: 'faxdeck jobs --status FAILED --status attention --from 2026-11-01',
  },
  followFaxes: {
    node: node('for await (const { id, type, fax } of faxdeck.events()) {', '  console.log(id, type, fax.status)', '}'),
    python: python('for event in faxdeck.events():', '    print(event.id, event.type, event.fax.status)'),
    cli: 'faxdeck watch --json | jq .status',
  },
  cancelFax: {
    node: node(`await faxdeck.cancel('${fax}')`),
    python: python(`faxdeck.cancel("${fax}")`),
    cli: `faxdeck cancel ${fax}`,
  },
  resendFax: {
    node: node(
      `const again = await faxdeck.resend('${fax}', { idempotencyKey: 'letter-4711-again' })`,
      'console.log(again.id)',
    ),
    python: python(`again = faxdeck.resend("${fax}", idempotency_key="letter-4711-again")`, 'print(again.id)'),
    cli: `faxdeck resend ${fax} --wait`,
  },
  quoteFax: {
    node: node(
      "const quote = await faxdeck.quote('letter.pdf', { to: '+15555550123' })",
      'console.log(quote.pages, quote.minutes)',
    ),
    python: python('quote = faxdeck.quote("letter.pdf", to="+15555550123")', 'print(quote.pages, quote.minutes)'),
    cli: 'faxdeck quote letter.pdf +15555550123 --cover formal',
  },
  printSeparator: {
    node: node("await faxdeck.separator('+15555550123', { reference: 'Results, Dr. Doe', path: 'separator.pdf' })"),
    python: python('faxdeck.separator("+15555550123", reference="Results, Dr. Doe", path="separator.pdf")'),
    cli: 'faxdeck separator +15555550123 --reference "Ann Miller"',
  },
  createBroadcast: {
    node: node(
      'const { id, faxes } = await faxdeck.broadcasts.send({',
      "  file: 'letter.pdf',",
      "  recipients: [{ to: '+15555550123', name: 'Dr. Jane Doe' }, { to: '+15555550188' }],",
      '})',
      'console.log(id, faxes)',
    ),
    python: python(
      'broadcast = faxdeck.broadcasts.send(["+15555550123", "+15555550188"], "letter.pdf")',
      'print(broadcast.id, broadcast.faxes)',
    ),
    cli: 'faxdeck broadcast send news.pdf clinics.csv',
  },
  listBroadcasts: {
    node: node('for await (const { id, counts } of faxdeck.broadcasts.list()) console.log(id, counts.delivered)'),
    python: python('for broadcast in faxdeck.broadcasts.list():', '    print(broadcast.id, broadcast.counts)'),
    cli: 'faxdeck broadcast list',
  },
  getBroadcast: {
    node: node(
      `const { counts } = await faxdeck.broadcasts.get('${broadcast}')`,
      'console.log(counts.delivered, counts.failed)',
    ),
    python: python(`broadcast = faxdeck.broadcasts.get("${broadcast}")`, 'print(broadcast.counts)'),
  },
  listBroadcastRecipients: {
    node: node(
      `for await (const each of faxdeck.broadcasts.recipients('${broadcast}')) console.log(each.to, each.status)`,
    ),
    python: python(`for each in faxdeck.broadcasts.recipients("${broadcast}"):`, '    print(each.to, each.status)'),
  },
  listInbound: {
    node: node('for await (const fax of faxdeck.inbound.list()) console.log(fax.id, fax.pages)'),
    python: python('for fax in faxdeck.inbound.list():', '    print(fax.id, fax.pages)'),
    cli: 'faxdeck inbox',
  },
  listOwnWebhooks: {
    node: node('for (const { id, url, enabled } of await faxdeck.webhooks.list()) console.log(id, url, enabled)'),
    python: python('for webhook in faxdeck.webhooks.list():', '    print(webhook.id, webhook.url, webhook.enabled)'),
    cli: 'faxdeck webhooks list',
  },
  createOwnWebhook: {
    node: node(
      'const { id, secret } = await faxdeck.webhooks.create({',
      "  url: 'https://example.com/faxdeck',",
      "  events: ['fax.delivered', 'fax.failed'],",
      '})',
      'console.log(id, secret.length)',
    ),
    python: python(
      'webhook = faxdeck.webhooks.create("https://example.com/faxdeck", ["fax.delivered", "fax.failed"])',
      'print(webhook.id, len(webhook.secret))',
    ),
  },
  updateOwnWebhook: {
    node: node(`await faxdeck.webhooks.update('${webhook}', { events: ['fax.failed'] })`),
    python: python(`faxdeck.webhooks.update("${webhook}", events=["fax.failed"])`),
  },
  testOwnWebhook: {
    node: node(`const { id } = await faxdeck.webhooks.test('${webhook}')`, 'console.log(id)'),
    python: python(`print(faxdeck.webhooks.test("${webhook}").id)`),
  },
  listOwnWebhookDeliveries: {
    node: node(
      `for await (const each of faxdeck.webhooks.deliveries('${webhook}', { state: ['pending', 'failed'] }))`,
      '  console.log(each.event, each.error)',
    ),
    python: python(
      `for each in faxdeck.webhooks.deliveries("${webhook}", ["pending", "failed"]):`,
      '    print(each.event, each.error)',
    ),
  },
  replayOwnWebhook: {
    node: node(
      `const { queued } = await faxdeck.webhooks.replaySince('${webhook}', '2026-11-01T00:00:00Z')`,
      'console.log(queued)',
    ),
    python: python(`print(faxdeck.webhooks.replay_since("${webhook}", "2026-11-01T00:00:00Z").queued)`),
  },
  listReceived: {
    node: node(
      "for await (const fax of faxdeck.received.list({ unread: 'true', since: '2026-11-01' })) {",
      '  console.log(fax.id, fax.from, fax.pages)',
      '}',
    ),
    python: python(
      'for fax in faxdeck.received.list(unread="true", since="2026-11-01"):',
      '    print(fax.id, fax.from_, fax.pages)',
    ),
    cli: 'faxdeck inbox --follow --save /srv/faxes',
  },
  getReceived: {
    node: node(`const fax = await faxdeck.received.get('${received}')`, 'console.log(fax.status, fax.from, fax.pages)'),
    python: python(`fax = faxdeck.received.get("${received}")`, 'print(fax.status, fax.from_, fax.pages)'),
  },
  getReceivedDocument: {
    node: node(`await faxdeck.received.download('${received}', { path: 'fax.pdf' })`),
    python: python(`faxdeck.received.download("${received}", "fax.pdf")`),
  },
  markReceivedRead: {
    node: node(`await faxdeck.received.markRead('${received}')`),
    python: python(`faxdeck.received.mark_read("${received}")`),
  },
  archiveReceived: {
    node: node(`await faxdeck.received.archive(['${received}'], { path: 'faxes.zip' })`),
    python: python(`faxdeck.received.archive(["${received}"], "faxes.zip")`),
  },
  deleteReceived: {
    node: node(`await faxdeck.received.delete('${received}')`),
    python: python(`faxdeck.received.delete("${received}")`),
  },
  listApprovals: { cli: 'faxdeck approvals list' },
  uploadDocument: { cli: 'faxdeck upload letter.pdf' },
  listApiKeys: { cli: 'faxdeck keys list' },
  listPeople: { cli: 'faxdeck people list' },
  listGroups: { cli: 'faxdeck groups list' },
  listHolds: { cli: 'faxdeck holds list' },
  placeHold: { cli: 'faxdeck holds place number +15555550123 --reason "Case 2026-117"' },
  listDeletions: { cli: 'faxdeck deletions' },
  createGroup: { cli: 'faxdeck groups add Cardiology' },
}
