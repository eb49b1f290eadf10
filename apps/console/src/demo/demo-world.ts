import { addApproval } from './faxes/fake-approvals.ts'
import { addJob } from './faxes/fake-jobs.ts'
import { saveSettings } from './installation/fake-settings.ts'
import { addWebhook } from './installation/fake-webhooks.ts'
import { catchUp, receivedFax } from './lines/fake-line.ts'
import { addKey } from './people/fake-keys.ts'
import { addTrailCopies } from './records/fake-logs.ts'
import { addPrices } from './records/fake-reports.ts'
import { addDeletion, addHold } from './records/fake-retention.ts'
import { emptyWorld, instantOf, type World } from './world.ts'

/** The installation that a demo shows: a clinic in the middle of its day, everything switched on, any key is good. */
export function demoWorld(): World {
  const world = busyWorld()
  saveSettings(world, { feature_v3_plugins: true, audit_log_enabled: true, require_mcp_approval: true })
  addApproval(world)
  addPrices(world)
  addTrailCopies(world)
  Object.assign(world.config, { demo: true, allow_restart: true, branding: { docs_base: '/docs/latest' } })
  return Object.assign(world, { pace: 4, guests: new Set<string>() })
}

const hour = 3_600_000
const fileNames = [
  'referral-letter.pdf',
  'lab-results.pdf',
  'discharge-summary.pdf',
  'prescription.txt',
  'insurance-form.pdf',
]
/** Faxes sent in each of the last 24 hours, oldest first. */
const perHour = [1, 0, 0, 1, 2, 3, 5, 6, 7, 6, 4, 5, 7, 6, 5, 3, 2, 2, 1, 1, 0, 1, 1, 2]

function addPastFaxes(world: World): void {
  let count = 0
  perHour.forEach((faxes, index) => {
    for (let fax = 0; fax < faxes; fax += 1) {
      count += 1
      const at = world.now() - (24 - index) * hour + ((fax + 0.5) / faxes) * hour * 0.9
      const ending = count % 29 === 0 ? '0101' : count % 47 === 0 ? '0103' : String(1000 + ((count * 7919) % 9000))
      const pages = 1 + ((count * 5) % 7)
      addJob(world, `+1555555${ending}`, { pages, file_name: fileNames[count % fileNames.length] ?? null }, at)
    }
  })
}

/** Programs that are notified of: one that answers, one that fails, and one that has unsubscribed. */
function addWebhooks(world: World): void {
  const since = (days: number) => ({ created_at: instantOf(world.now() - days * 24 * hour) })
  addWebhook(world, {
    ...since(40),
    url: 'https://records.clinic.example/hooks/faxdeck',
    description: 'Patient records',
    events: ['fax.delivered', 'fax.failed', 'inbound.received'],
    previous_secret_until: instantOf(world.now() + 15 * hour),
  })
  const troubles = ['fax.failed', 'fax.uncertain', 'inbound.failed'] as const
  addWebhook(world, { ...since(12), url: 'https://alerts.example.com/v1/fax', events: [...troubles] }, 503)
  const url = 'https://functions.example.net/api/v2/tenants/clinic-north/integrations/fax/events?source=faxdeck'
  addWebhook(world, { ...since(200), url, description: 'Old billing export (trial)' }, 410)
}

/** A clinic's installation in the middle of its day: a day of faxes, some trouble, some keys, some webhooks. */
export function busyWorld(): World {
  const world = emptyWorld()
  addWebhooks(world)
  addPastFaxes(world)
  addJob(world, '+15555550100', { pages: 2, file_name: 'referral-letter.pdf' }, world.now() - 1200_000)
  addJob(world, '+15555550106', { file_name: 'lab-results.pdf' }, world.now() - 900_000)
  catchUp(world)
  world.inbound = world.inbound.filter((_, index) => index % 3 === 0)
  world.inbound.forEach((fax, index) => {
    if (index > 3) fax.read_at = fax.received_at
  })
  const since = instantOf(world.now() - 60_000)
  const failed = {
    status: 'failed',
    error: 'The document could not be fetched.',
    pages: null,
    received_at: since,
  } as const
  world.inbound.unshift(receivedFax(world, { ...failed, document_kept: false }))
  addJob(world, '+15555550104', { pages: 3, file_name: 'insurance-form.pdf' })
  addJob(world, '+15555550123', { pages: 1, file_name: 'prescription.txt', document_kind: 'text' })
  const day = 86_400_000
  addKey(world, {
    name: 'Front desk',
    owner: 'Dr. Alvarez',
    last_used_at: since,
    created_at: instantOf(world.now() - 40 * day),
  })
  addKey(world, {
    name: 'Billing export, nightly',
    owner: 'IT',
    scopes: ['fax:read', 'inbound:list', 'inbound:read'],
    created_at: instantOf(world.now() - 300 * day),
    expires_at: instantOf(world.now() + 65 * day),
  })
  addCare(world)
  return world
}

/** A case that keeps documents, one that is over, and what the rules have deleted. */
function addCare(world: World): void {
  const day = 24 * hour
  const at = (days: number) => instantOf(world.now() - days * day)
  const complaint = world.jobs[2]?.job.id
  addHold(world, {
    kind: 'number',
    subject: '+15555550144',
    reason: 'Case 2025-88',
    placed_at: at(190),
    lifted_by: 'bootstrap',
    lifted_at: at(12),
    lift_reason: 'Case closed, letter from the court',
  })
  addHold(world, { kind: 'number', subject: '+15555550123', reason: 'Case 2026-117, Northside Law', placed_at: at(9) })
  if (complaint) addHold(world, { kind: 'fax', subject: complaint, reason: 'Complaint about a wrong recipient' })
  for (let days = 9; days >= 0; days -= 1) {
    const document = { sha256: world.nextId(64), pages: 1 + ((days * 5) % 4), created_at: at(days + 30) }
    addDeletion(world, { ...document, at: at(days), reason: 'retention', days: 30 })
  }
}
