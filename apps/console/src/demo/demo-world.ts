import { busyWorld } from './busy-world.ts'
import { addApproval } from './faxes/fake-approvals.ts'
import { saveSettings } from './installation/fake-settings.ts'
import { addTrailCopies } from './records/fake-logs.ts'
import { addPrices } from './records/fake-reports.ts'
import type { World } from './world.ts'

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
