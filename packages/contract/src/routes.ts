import './sentences.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { broadcastRoutes } from './routes/broadcasts.ts'
import { bulkRoutes } from './routes/bulk.ts'
import { callRoutes } from './routes/calls.ts'
import { faxRoutes } from './routes/faxes.ts'
import { inboundRoutes } from './routes/inbound.ts'
import { inboundManyRoutes } from './routes/inbound-many.ts'
import { jobRoutes } from './routes/jobs.ts'
import { previewRoutes } from './routes/previews.ts'
import { logRoutes } from './routes/logs.ts'
import { operationRoutes } from './routes/operations.ts'
import { overviewRoutes } from './routes/overview.ts'
import { groupRoutes } from './routes/groups.ts'
import { openingRoutes } from './routes/openings.ts'
import { peopleRoutes } from './routes/people.ts'
import { retentionRoutes } from './routes/retention.ts'
import { recordRoutes } from './routes/records.ts'
import { pluginRoutes } from './routes/plugins.ts'
import { reportRoutes } from './routes/reports.ts'
import { requestRoutes } from './routes/requests.ts'
import { searchRoutes } from './routes/search.ts'
import { separatorRoutes } from './routes/separators.ts'
import { settingsRoutes } from './routes/settings.ts'
import { uploadRoutes } from './routes/uploads.ts'
import { ownWebhookRoutes, webhookRoutes } from './routes/webhooks.ts'

/** Every call of the API, by name. */
export const routes = {
  ...overviewRoutes,
  ...faxRoutes,
  ...separatorRoutes,
  ...broadcastRoutes,
  ...requestRoutes,
  ...uploadRoutes,
  ...jobRoutes,
  ...previewRoutes,
  ...bulkRoutes,
  ...inboundRoutes,
  ...inboundManyRoutes,
  ...callRoutes,
  ...searchRoutes,
  ...apiKeyRoutes,
  ...peopleRoutes,
  ...groupRoutes,
  ...openingRoutes,
  ...retentionRoutes,
  ...recordRoutes,
  ...settingsRoutes,
  ...logRoutes,
  ...reportRoutes,
  ...pluginRoutes,
  ...operationRoutes,
  ...webhookRoutes,
  ...ownWebhookRoutes,
}
export type Routes = typeof routes
export type RouteName = keyof Routes
