import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GatewayContext } from '../../base/context.ts'

/** Where documents lie that are looked at before they are sent, and pages that are drawn to be measured. */
export const previewsDirectory = ({ directory }: Pick<GatewayContext, 'directory'>): string =>
  join(directory, 'previews')

/** Where the rendered pages of jobs under way lie. */
export const pagesDirectory = ({ directory }: Pick<GatewayContext, 'directory'>): string => join(directory, 'pages')
export const pagesPath = (context: Pick<GatewayContext, 'directory'>, id: string): string =>
  join(pagesDirectory(context), `${id}.tiff`)

/** Removes the rendered pages of a job, if it can: what stays behind, the hourly expiry removes. */
export function removePages(context: Pick<GatewayContext, 'directory'>, id: string): void {
  rm(pagesPath(context, id), { force: true }).catch(() => undefined)
}
