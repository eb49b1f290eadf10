import { join } from 'node:path'
import { preview } from 'vite'
import { serveDocsAlone } from '../../apps/gateway/src/features/docs/feature.ts'
import { repositoryRoot } from '../repository.mjs'
import { servedDocs } from '../setup/builds.mjs'

// As npm start does; without it a free port is taken.
const port = Number(process.env.PORT || 0)
if (!Number.isInteger(port) || port < 0 || port > 65_535) {
  console.error('PORT must be a number from 0 to 65535.')
  process.exit(2)
}
const documentation = await serveDocsAlone(join(repositoryRoot, servedDocs.folder))
const server = await preview({
  configFile: 'vite.demo.config.ts',
  logLevel: 'warn',
  preview: { host: '127.0.0.1', port, strictPort: true, proxy: { '/docs': documentation.url } },
})

console.log(`Faxdeck as a demo: ${server.resolvedUrls?.local[0]}`)
console.log('Everything in it is made up and lives in the page; loading the page again begins anew. Ctrl-C ends it.')

const stop = async () => {
  await server.close()
  await documentation.close()
  process.exit(0)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
