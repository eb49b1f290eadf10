import { preview } from 'vite'

const server = await preview({
  configFile: 'vite.demo.config.ts',
  logLevel: 'warn',
  preview: { host: '127.0.0.1', port: 0 },
})

console.log(`Faxdeck as a demo: ${server.resolvedUrls?.local[0]}`)
console.log('Everything in it is made up and lives in the page; loading the page again begins anew. Ctrl-C ends it.')

const stop = async () => {
  await server.close()
  process.exit(0)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
