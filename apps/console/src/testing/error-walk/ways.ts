import type { RouteName } from '@faxdeck/contract'
import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { addApproval } from '../../demo/faxes/fake-approvals.ts'
import { addJob } from '../../demo/faxes/fake-jobs.ts'
import { addManifest } from '../../demo/installation/fake-plugins.ts'
import { saveSettings } from '../../demo/installation/fake-settings.ts'
import { addWebhook } from '../../demo/installation/fake-webhooks.ts'
import { catchUp, receivedFax } from '../../demo/lines/fake-line.ts'
import { addKey } from '../../demo/people/fake-keys.ts'
import { addMessage } from '../../demo/records/fake-messages.ts'
import type { World } from '../../demo/world.ts'
import { addLines } from '../../demo/lines/busy-lines.ts'
import { addHeldJob } from '../../demo/faxes/fake-held.ts'
import { broadcastWays } from './broadcast-ways.ts'
import { groupWays } from './group-ways.ts'
import { manyJobs, matching, selectAll } from './many-jobs.ts'
import { numberWays } from './number-ways.ts'
import { ofPrograms } from './of-programs.ts'
import { peopleWays } from './people-ways.ts'
import { reportWays } from './report-ways.ts'
import { retentionWays } from './retention-ways.ts'
import { settingsWays } from './settings-ways.ts'
import { choose, command, enter, fold, open, split, tick, upload, uploadScan, type Way } from './steps.ts'

const tidiedNote = {
  page: 1,
  kind: 'tidied' as const,
  sentence: 'Page 1 was rotated 180°. The original is kept.',
  places: [],
}

const job =
  (to: string, seconds = 60) =>
  (world: World) => {
    const { job } = addJob(world, to)
    world.pass(seconds)
    catchUp(world)
    return job.id
  }
const heldJob = (world: World) => addHeldJob(world, delivered).job.id
const inbound =
  (fields: Parameters<typeof receivedFax>[1] = {}) =>
  (world: World) => {
    const fax = receivedFax(world, fields)
    world.inbound.unshift(fax)
    return fax.id
  }
const showText = async (user: UserEvent) => user.click(await screen.findByText('Show as text'))
const withKey = (world: World) => void addKey(world, { name: 'Front desk' })
const withManager = (world: World) => void addKey(world, { name: 'Front desk', scopes: ['keys:manage'] })
const webhook = (world: World) => {
  const hook = addWebhook(world)
  const { id } = hook.webhook
  Object.assign(addMessage(world, hook, { event: 'webhook.test', subject: id, data: {} }), {
    state: 'failed',
    next_try_at: null,
  })
  return `webhook:${id}`
}
const asked = (world: World) => void addApproval(world)
const plugins = (world: World) => {
  world.config.v3_plugins.enabled = true
  addManifest(world, { id: 'acme-fax', name: 'Acme Fax', actions: {} })
  return undefined
}
const restartable = (world: World) => {
  world.config.allow_restart = true
  return undefined
}
const delivered = '+15555550123'
const lost = { status: 'failed', error: 'Not fetched.', document_kept: false, pages: null } as const
const withUnread = (world: World) => {
  world.inbound.unshift(receivedFax(world, {}))
  return undefined
}
const manyReceived = (world: World) => {
  world.inbound = Array.from({ length: 101 }, () => receivedFax(world, {}))
  return undefined
}
const withSinch = (world: World) => {
  saveSettings(world, { backend: 'sinch', fax_disabled: false, public_api_url: 'https://fax.example.org' })
  return undefined
}

const withTrunk = (world: World) => {
  saveSettings(world, { backend: 'trunk', fax_disabled: false })
  return undefined
}

const noPicture = () => screen.getAllByText(/: no picture$/)
/** A terminal breaks its lines where it has no more room. */
const inTerminal = (why: string) => {
  const closed = (text: string) => text.replace(/\s/g, '')
  const said = closed(document.body.textContent)
  if (!said.includes(closed(why))) throw new Error(`The terminal does not say: ${why}`)
}
/** "Failed:" and the reason alone. */
const besideButton = (why: string) =>
  screen.getByText((text) => text.startsWith('Failed: ') && why.startsWith(text.slice('Failed: '.length)))

const withLines = (world: World) => {
  addLines(world, addJob(world, delivered).job.id)
  return undefined
}

const keys = 'settings/keys'
const lines = 'tools/lines'
const diagnostics = 'tools/diagnostics'

/** Every call that a screen makes. */
export const ways = {
  /** At the login it stands at the field: login.test.tsx. */
  getConfig: { place: 'dashboard', gate: true },
  health: { place: 'tools/terminal', steps: [command('health{Enter}')], shows: inTerminal },
  getHealthStatus: { place: 'dashboard' },
  getActivity: { place: 'dashboard' },
  listProviders: { place: diagnostics },
  submitFax: { place: diagnostics, steps: ['Send Test Fax'], what: 'Test fax failed to start' },
  getFax: {
    place: 'tools/scripts',
    steps: ['Run Authentication smoke test'],
    what: 'Auth smoke failed',
    anotherKey: true,
  },
  listJobs: { place: 'jobs' },
  exportJobs: { place: 'jobs', world: job(delivered), steps: ['Export CSV'] },
  getJob: { place: 'jobs', world: job(delivered) },
  getJobPage: { place: 'jobs', world: job(delivered), shows: noPicture },
  getJobPdf: { place: 'jobs', world: job(delivered), steps: ['Download PDF'] },
  getJobOriginal: { place: 'send', world: job(delivered) },
  getJobReceipt: { place: 'jobs', world: job(delivered), steps: ['Receipt'] },
  refreshJob: { place: 'jobs', world: job(delivered), steps: ['Refresh Status'] },
  cancelJob: { place: 'jobs', world: job('+15555550100', 10), steps: ['Cancel fax'] },
  releaseJob: { place: 'jobs', world: heldJob, steps: ['Release', 'Release'] },
  resendJob: { place: 'jobs', world: job('+15555550101'), steps: ['Send again'] },
  resolveJob: { place: 'jobs', world: job('+15555550106'), steps: ['It failed', 'It failed'] },
  countBulk: { place: 'jobs', world: manyJobs, steps: [selectAll, matching, 'Send again…'] },
  createBulk: { place: 'jobs', world: manyJobs, steps: [selectAll, matching, 'Send again…', 'Send again'] },
  getBulk: { place: 'jobs', world: manyJobs, steps: [selectAll, matching, 'Send again…', 'Send again'] },
  stopBulk: { place: 'jobs', world: manyJobs, steps: [selectAll, matching, 'Send again…', 'Send again', 'Stop'] },
  ...broadcastWays,
  ...numberWays,
  ...groupWays,
  ...reportWays,
  ...retentionWays,
  createPreview: { place: 'send', steps: [upload], refusedAtField: true },
  printSeparator: {
    place: 'send',
    steps: ['Print a separator sheet', enter('Fax number', delivered), 'Download PDF'],
  },
  quoteSplit: { place: 'send', steps: [uploadScan, split] },
  splitFax: { place: 'send', steps: [uploadScan, split, 'Send 2 faxes'] },
  coverPreview: { place: 'send', steps: [upload, choose('Cover page', 'Formal')], refusedAtField: true },
  getPreviewPage: { place: 'send', steps: [upload], shows: noPicture },
  // The minutes guessed from the number of pages stand until those of the call are there.
  quotePreview: { place: 'send', steps: [upload] },
  checkNumbers: { place: 'send', steps: [upload, enter('Destination number', delivered), 'Send'] },
  lookUpRecipient: {
    place: 'send',
    steps: [enter('Destination number', delivered)],
    shows: () => screen.getByText(/^Failed to .*\. You can still send it\.$/),
  },
  listApprovals: { place: 'settings/mcp' },
  getApprovalPage: { place: 'settings/mcp', world: asked, shows: noPicture },
  approveFax: { place: 'settings/mcp', world: asked, steps: ['Approve and send the fax to +1 555 555 0123'] },
  refuseFax: { place: 'settings/mcp', world: asked, steps: ['Refuse the fax to +1 555 555 0123'] },
  listInbound: { place: 'inbound' },
  getInbound: { place: 'inbound', world: inbound() },
  listFaxViews: { place: 'inbound', world: inbound() },
  notePrint: { place: 'inbound', world: inbound(), steps: ['Print'] },
  getInboundPage: { place: 'inbound', world: inbound(), shows: noPicture },
  getInboundText: { place: 'inbound', world: inbound(), steps: [showText] },
  getJobText: { place: 'jobs', world: job(delivered), steps: [showText] },
  getInboundMarks: { place: 'inbound', world: inbound(), find: 'cardiology' },
  getJobMarks: { place: 'jobs', world: job(delivered), find: 'cardiology' },
  searchFaxes: {
    place: 'dashboard',
    gate: true,
    steps: [
      async (user) => user.click(await screen.findByRole('button', { name: /Search or jump to…/ })),
      async (user) => user.type(await screen.findByRole('combobox'), 'zebra'),
    ],
  },
  getInboundOriginal: {
    place: 'inbound',
    world: inbound({ read_at: '2026-01-01T00:00:00.000Z', page_notes: [tidiedNote] }),
    steps: ['Download original'],
  },
  getInboundPdf: { place: 'inbound', world: inbound({ read_at: '2026-01-01T00:00:00.000Z' }), steps: ['Download PDF'] },
  markInboundRead: { place: 'inbound', world: inbound() },
  fetchInboundAgain: { place: 'inbound', world: inbound(lost), steps: ['Fetch again'] },
  listCallbacks: { place: 'inbound' },
  countInbound: { place: 'inbound', world: manyReceived },
  markManyInboundRead: { place: 'inbound', world: withUnread, steps: [tick(/^Select fax/), 'Mark as read'] },
  markAllInboundRead: {
    place: 'inbound',
    world: withUnread,
    steps: ['More actions', 'Mark all as read', 'Mark as read'],
  },
  downloadInboundPdf: { place: 'inbound', world: withUnread, steps: [tick(/^Select fax/), 'Download one PDF'] },
  downloadInboundZip: { place: 'inbound', world: withUnread, steps: [tick(/^Select fax/), 'Download zip'] },
  simulateInbound: {
    place: 'inbound',
    steps: ['More actions', 'Create a test fax', 'Simulate'],
    what: 'Test add failed',
  },
  getCallReport: { place: lines },
  getLines: { place: lines },
  listCallNumbers: { place: lines, world: withLines },
  forgetCallNumber: { place: lines, world: withLines, steps: [open(/^Forget the number ending in 0152/)] },
  forgetCallNumbers: { place: lines, world: withLines, steps: ['Forget all', 'Forget all'] },
  listApiKeys: { place: keys },
  createApiKey: { place: keys, steps: ['Create Key', 'Create'] },
  rotateApiKey: { place: keys, world: withKey, steps: ['Rotate Front desk', 'Rotate'] },
  getKeyLeavings: { place: keys, world: withManager, steps: ['Revoke Front desk'] },
  revokeApiKey: { place: keys, world: withKey, steps: ['Revoke Front desk', 'Revoke'] },
  ...peopleWays,
  listWebhooks: { place: keys },
  createWebhook: { place: keys, steps: ['Add webhook', enter('Address (URL)', 'https://hooks.example.com/'), 'Add'] },
  updateWebhook: { place: keys, world: webhook, steps: ['Pause', 'Pause'] },
  removeWebhook: { place: keys, world: webhook, steps: ['Remove', 'Remove'] },
  rotateWebhookSecret: { place: keys, world: webhook, steps: ['Rotate secret', 'Rotate'] },
  testWebhook: { place: keys, world: webhook, steps: ['Send a test'] },
  listWebhookDeliveries: { place: keys, world: webhook },
  getWebhookDelivery: { place: keys, world: webhook, steps: [open(/^Open webhook\.test/)] },
  replayWebhookDelivery: { place: keys, world: webhook, steps: [open(/^Replay webhook/)] },
  replayWebhook: { place: keys, world: webhook, steps: ['Replay…', 'Replay'] },
  ...settingsWays,
  validateSettings: { place: 'settings/setup', steps: ['Next', 'Validate Provider'] },
  registerSinchWebhook: {
    place: 'settings/setup',
    world: withSinch,
    steps: [open(/Apply & Export/), 'Register with Sinch'],
    shows: besideButton,
  },
  getLineTest: { place: 'settings/setup', world: withTrunk, steps: [open(/Apply & Export/)] },
  startLineTest: {
    place: 'settings/setup',
    world: withTrunk,
    steps: [open(/Apply & Export/), 'Test the line', 'Test'],
  },
  restart: { place: diagnostics, world: restartable, steps: ['Restart API', 'Restart'] },
  getDbStatus: { place: diagnostics, steps: ['Check DB Status'] },
  listLogs: { place: 'tools/logs' },
  tailLogFile: { place: 'tools/logs', steps: ['File tail'] },
  listTrailCopies: { place: 'tools/logs' },
  verifyAuditChain: { place: 'tools/logs', steps: ['Verify chain'] },
  listPlugins: { place: 'tools/plugins', world: plugins },
  listPluginRegistry: { place: 'tools/plugins', world: plugins },
  getPluginConfig: { place: 'tools/plugins', world: plugins, steps: ['Configure Phaxio'] },
  updatePluginConfig: {
    place: 'tools/plugins',
    world: plugins,
    steps: ['Set Active: Sinch'],
    what: 'Failed to save configuration',
  },
  validateManifest: {
    place: 'tools/plugins',
    world: plugins,
    steps: [fold('HTTP Manifest Tester'), 'Start from a sample', 'Validate'],
  },
  installManifest: {
    place: 'tools/plugins',
    world: plugins,
    steps: [fold('HTTP Manifest Tester'), 'Start from a sample', 'Install'],
  },
  importManifests: {
    place: 'tools/plugins',
    world: plugins,
    steps: [fold('Bulk Import'), 'Import from repo scrape'],
    what: 'Import from repo failed',
  },
  removePlugin: { place: 'tools/plugins', world: plugins, steps: ['Remove Acme Fax', 'Remove'] },
  runDiagnostics: { place: diagnostics, steps: ['Run Diagnostics'] },
  listActions: { place: 'tools/scripts' },
  runAction: { place: 'tools/scripts', steps: ['Run Disk space'] },
} as const satisfies Partial<Record<RouteName, Way>>

/**
 * Calls that the console never makes, and why. Two failures are passed over on purpose: those of the dashboard's
 * polling once it has shown something (dashboard.test.tsx), and those of the documentation's anchors, which are no call
 * of the contract (diagnostics.test.tsx).
 */
export const neverCalled = {
  quoteFax: 'Programs ask; the console measures by a preview.',
  ...ofPrograms,
  compareTrail: 'The command line compares a copy with the database.',
  uploadDocument: 'Programs hand over documents for assistants; the console sends its own.',
  quoteRequest: 'Assistants ask for it.',
  requestFax: 'Assistants ask for it; a person sees the request and decides.',
  getFaxRequest: 'Assistants ask; a person sees the list of what waits.',
  getFaxPdf: 'Providers and programs fetch it; the console asks for the PDF of a job.',
  getFaxReceipt: 'Programs fetch it; the console asks for the report of a job.',
  listBroadcastRecipients: 'Programs ask; the console shows the faxes among the jobs.',
  redeemPairing: 'A phone redeems its code; the console only makes it.',
} as const satisfies Partial<Record<RouteName, string>>
