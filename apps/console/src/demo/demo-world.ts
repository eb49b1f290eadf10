import { addMonth } from './clinic-month.ts'
import { addStaff, ago, day, hour, minute, partners, personCalled } from './clinic.ts'
import { addApproval } from './faxes/fake-approvals.ts'
import { saveSettings } from './installation/fake-settings.ts'
import { addWebhook } from './installation/fake-webhooks.ts'
import { pluginOf } from './installation/made-plugins.ts'
import { addLines } from './lines/busy-lines.ts'
import { addKey } from './people/fake-keys.ts'
import { addTrailCopies } from './records/fake-logs.ts'
import { addPrices } from './records/fake-reports.ts'
import { addDeletion, addHold } from './records/fake-retention.ts'
import { emptyWorld, instantOf, type World } from './world.ts'

/** The installation that a demo shows: a clinic in the middle of its day, everything switched on, any key is good. */
export function demoWorld(): World {
  const world = Object.assign(emptyWorld(), { texts: new Map<string, readonly string[]>() })
  connect(world)
  addStaff(world)
  addWebhooks(world)
  addMonth(world)
  addKeys(world)
  addCare(world)
  addCalls(world)
  addPrices(world, 'trunk')
  addTrailCopies(world)
  Object.assign(world.config, { demo: true, allow_restart: true, branding: { docs_base: '/docs/latest' } })
  world.backedUpAt = instantOf(world.now() - 5 * hour * 1000)
  return Object.assign(world, { pace: 4, guests: new Set<string>(), idleSeconds: 12 * hour })
}

/** Faxes go and come over the clinic's own trunk; Sinch stands in for it, and Phaxio was used before. */
function connect(world: World): void {
  world.settings.environment = { inbound_enabled: true, enable_mcp_http: true }
  const trunk = pluginOf('trunk', 'My own SIP trunk', { description: 'Sends over your carrier’s SIP trunk.' })
  world.plugins.unshift({ plugin: trunk, fields: [] })
  saveSettings(world, {
    ...{ outbound_backend: 'trunk', inbound_backend: 'trunk', failover_backend: 'sinch' },
    ...{ trunk_host: 'sip.carrier.example', trunk_password: 'made up', sinch_project_id: 'clinic-north' },
    ...{ phaxio_api_key: 'made up', phaxio_api_secret: 'made up' },
    ...{ fax_header: 'Lakeview Clinic', fax_header_number: '+13125550120', fax_cover: 'formal' },
    ...{ public_api_url: 'https://fax.clinic.example', admin_allowed_cidrs: '192.168.10.0/24' },
    ...{ feature_v3_plugins: true, audit_log_enabled: true, require_mcp_approval: true, break_glass_minutes: 60 },
  })
  Object.assign(world.config, { break_glass_minutes: 60, default_cover: 'formal' })
}

/** Programs that are notified of: one that answers, one that fails, and one that has unsubscribed. */
function addWebhooks(world: World): void {
  const since = (days: number) => ({ created_at: instantOf(world.now() - days * day * 1000) })
  addWebhook(world, {
    ...since(40),
    url: 'https://records.clinic.example/hooks/faxdeck',
    description: 'Patient records',
    events: ['fax.delivered', 'fax.failed', 'inbound.received'],
    previous_secret_until: instantOf(world.now() + 15 * hour * 1000),
  })
  const troubles = ['fax.failed', 'fax.uncertain', 'inbound.failed'] as const
  addWebhook(world, { ...since(1), url: 'https://alerts.example.com/v1/fax', events: [...troubles] }, 503)
  const url = 'https://functions.example.net/api/v2/tenants/clinic-north/integrations/fax/events?source=faxdeck'
  addWebhook(world, { ...since(25), url, description: 'Old billing export (trial)' }, 410)
}

/** The keys of programs, one of which asks before it sends. */
function addKeys(world: World): void {
  const issued_by = `person:${world.signedIn}`
  const used = { issued_by, last_used_at: instantOf(world.now() - 6 * minute * 1000) }
  ago(world, 40 * day, () => addKey(world, { name: 'Scanner, second floor', owner: 'Ruth Alvarez', ...used }))
  const scopes = ['fax:read', 'inbound:list', 'inbound:read'] as const
  const expires_at = instantOf(world.now() + 65 * day * 1000)
  ago(world, 300 * day, () => {
    addKey(world, { name: 'Billing export, nightly', owner: 'IT', scopes: [...scopes], issued_by, expires_at })
  })
  const { key_id: asked_by } = ago(world, 15 * day, () => addKey(world, { name: 'Front desk assistant', ...used }))
  ago(world, 7 * minute, () => addApproval(world, { asked_by, to: partners[0][1] }))
}

/** A case that keeps documents, one that is over, and what the rules have deleted. */
function addCare(world: World): void {
  const officer = personCalled(world, 'Priya Raman')
  const placed = { placed_by: `person:${officer?.id}`, placed_by_name: officer?.name ?? null }
  const lifted = { lifted_by: placed.placed_by, lifted_by_name: placed.placed_by_name }
  const at = (days: number) => instantOf(world.now() - days * day * 1000)
  const over = { lifted_at: at(12), lift_reason: 'Case closed, letter from the court' }
  const closed = { kind: 'number', subject: partners[6][1], reason: 'Case 2025-88', ...placed } as const
  ago(world, 190 * day, () => addHold(world, { ...closed, ...lifted, ...over }))
  const open = { kind: 'number', subject: partners[4][1], reason: 'Case 2026-117', ...placed } as const
  ago(world, 9 * day, () => addHold(world, open))
  const subject = world.jobs.find(({ job }) => job.error_kind === 'bad_number')?.job.id ?? ''
  const complaint = { kind: 'fax', subject, reason: 'Complaint about a wrong recipient', ...placed } as const
  ago(world, 2 * hour, () => addHold(world, complaint))
  for (let days = 9; days >= 0; days -= 1) {
    const number = partners[days % partners.length]?.[1].slice(-4) ?? ''
    const document = { sha256: world.nextId(64), pages: 1 + ((days * 5) % 4), created_at: at(days + 30) }
    const whose = { number: `********${number}`, group_name: days % 2 === 0 ? 'Front desk' : 'Cardiology' }
    addDeletion(world, { ...document, ...whose, at: at(days), reason: 'retention', days: 30 })
  }
}

/** What the trunk has carried, by number, and the call that is up. */
function addCalls(world: World): void {
  const carried = world.jobs.filter(({ job }) => job.backend === 'trunk' && job.attempts.length > 0)
  const up = carried.find(({ job }) => job.status === 'in_progress' && job.next_try_at === null && !job.needs_attention)
  addLines(world, up?.job.id ?? '', 'trunk')
  const { report, lines } = world.lines
  report.numbers = [...Map.groupBy(carried, ({ job }) => job.to_number)].map(([number, sent]) => {
    const last_at = sent[0]?.job.updated_at ?? instantOf(world.now())
    const of = (kinds: readonly (string | null)[]) => sent.filter(({ job }) => kinds.includes(job.error_kind)).length
    const broke_off = of(['partial', 'uncertain'])
    const [complete, not_reached] = [of([null]), of(['busy', 'no_answer', 'bad_number', 'cancelled'])]
    const found = { calls: sent.length, complete, broke_off, not_reached, slowed: 0, slowest: 14_400 }
    return { number, direction: 'sent', ...found, last_at, trouble: null }
  })
  const sum = (key: 'calls' | 'complete' | 'broke_off' | 'not_reached') =>
    report.numbers.reduce((total, number) => total + number[key], 0)
  const complete = sum('complete')
  Object.assign(report, { calls: sum('calls'), complete, broke_off: sum('broke_off'), not_reached: sum('not_reached') })
  Object.assign(report, {
    slowed: 0,
    over_t38: complete,
    over_audio: 0,
    since: instantOf(world.now() - 12 * day * 1000),
  })
  lines.channels = lines.channels.filter(({ job_id: id }) => up && id === up.job.id)
  for (const channel of lines.channels) Object.assign(channel, { number: up?.job.to_number, speed: 14_400 })
  const busiest = 'In the busiest hour of the last 4 weeks, 0.4 lines were busy on average'
  const basis = `With 3 lines, 1 call in 100 finds none free (Erlang B). ${busiest}; ${report.calls} calls were counted.`
  for (const use of lines.use)
    Object.assign(use, { calls: report.calls, peak: 2, allowed: 4, enough: 3, hours: [], basis })
  world.lines.numbers = []
}
