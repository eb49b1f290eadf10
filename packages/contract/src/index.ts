import type { WireCall, WireCalls } from './client.ts'
import type { RouteRow } from './route.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { faxRoutes } from './routes/faxes.ts'
import { inboundRoutes } from './routes/inbound.ts'
import { jobRoutes } from './routes/jobs.ts'
import { logRoutes } from './routes/logs.ts'
import { operationRoutes } from './routes/operations.ts'
import { overviewRoutes } from './routes/overview.ts'
import { pluginRoutes } from './routes/plugins.ts'
import { settingsRoutes } from './routes/settings.ts'

/** Every call of the API, by name. */
export const routes = {
  ...overviewRoutes,
  ...faxRoutes,
  ...jobRoutes,
  ...inboundRoutes,
  ...apiKeyRoutes,
  ...settingsRoutes,
  ...logRoutes,
  ...pluginRoutes,
  ...operationRoutes,
}
export type Routes = typeof routes
export type RouteName = keyof Routes

function wireCall(row: RouteRow): WireCall {
  const reply = typeof row.reply === 'object' ? 'json' : row.reply === 'none' ? 'none' : 'file'
  const { method, path, failure, trouble = 'API Error' } = row
  return { method, path, failure, trouble, reply }
}

/** The rows without their schemas, for clients. */
export function wireCalls(): WireCalls {
  return Object.fromEntries(Object.entries(routes).map(([name, row]) => [name, wireCall(row)])) as WireCalls
}

export * from './client.ts'
export * from './phone.ts'
export * from './problems.ts'
export * from './route.ts'
export * from './shapes.ts'
export type { ApiKey } from './routes/api-keys.ts'
export type { FailureKind, Fax, FaxStatus } from './routes/faxes.ts'
export type { InboundFax } from './routes/inbound.ts'
export type { Job, JobAction, JobFilter, JobSummary } from './routes/jobs.ts'
export type { LogEntry } from './routes/logs.ts'
export type { Activity, Config, HealthStatus, ProviderTraits } from './routes/overview.ts'
export type { DescribedSetting, Settings } from './routes/settings.ts'
