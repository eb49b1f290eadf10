import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { gatherReadings, pageTextWork } from './enqueue.ts'
import { readFax, readSkipped } from './read.ts'
import { pageTextHandlers } from './routes.ts'

/** Reads what pages say, and finds faxes by it. */
export function createPageText(context: GatewayContext) {
  const { events, settings } = context
  events.onRecording(gatherReadings(context))
  settings.onChange(async ({ keys }) => {
    if (keys.includes('fax_text') && settings.current().fax_text) await readSkipped(context)
  })
  return {
    name: 'page-text',
    routes: pageTextHandlers(context),
    work: { [pageTextWork]: (claim, signal) => readFax(context, claim, signal) },
  } satisfies Feature
}
