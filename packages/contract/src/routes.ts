import './sentences.ts'
import { apiKeyRoutes } from './routes/people/api-keys.ts'
import { broadcastRoutes } from './routes/faxes/broadcasts.ts'
import { bulkRoutes } from './routes/faxes/bulk.ts'
import { callRoutes } from './routes/calls.ts'
import { faxRoutes } from './routes/faxes/faxes.ts'
import { inboundRoutes } from './routes/faxes/inbound.ts'
import { inboundManyRoutes } from './routes/faxes/inbound-many.ts'
import { receivedRoutes } from './routes/faxes/received.ts'
import { jobRoutes } from './routes/faxes/jobs.ts'
import { previewRoutes } from './routes/faxes/previews.ts'
import { logRoutes } from './routes/logs.ts'
import { operationRoutes } from './routes/operations.ts'
import { overviewRoutes } from './routes/overview.ts'
import { groupRoutes } from './routes/people/groups.ts'
import { openingRoutes } from './routes/faxes/openings.ts'
import { peopleRoutes } from './routes/people/people.ts'
import { retentionRoutes } from './routes/retention.ts'
import { recordRoutes } from './routes/records.ts'
import { pluginRoutes } from './routes/plugins.ts'
import { reportRoutes } from './routes/reports.ts'
import { requestRoutes } from './routes/faxes/requests.ts'
import { searchRoutes } from './routes/faxes/search.ts'
import { separatorRoutes } from './routes/faxes/separators.ts'
import { settingsRoutes } from './routes/settings.ts'
import { uploadRoutes } from './routes/faxes/uploads.ts'
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
  ...receivedRoutes,
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
