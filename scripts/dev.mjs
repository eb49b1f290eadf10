import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runNode } from './run-child.mjs'
import { servedDocs } from './setup/builds.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { gatewayProcess } from './start/gateway-process.mjs'

const exampleKey = 'fbk_live_example_for_development'

/** The first port from this one on that nobody listens on: another checkout may be served already. */
async function freePort(from) {
  const server = createServer()
  const isFree = await Promise.race([
    once(server.listen(from), 'listening').then(() => true),
    new Promise((resolve) => server.once('error', () => resolve(false))),
  ]).catch(() => false)
  if (isFree) await new Promise((resolve) => server.close(resolve))
  return isFree ? String(from) : freePort(from + 1)
}

/** The gateway of the sources, on the test line, with a data directory of its own; started anew at each change. */
function startGateway(node, port) {
  const given = {
    FAX_DATA_DIR: join(repositoryRoot, '.cache/dev'),
    FAX_DISABLED: 'true',
    INBOUND_ENABLED: 'true',
    API_KEY: exampleKey,
    ...process.env,
    PORT: port,
  }
  const { flags, env } = gatewayProcess(repositoryRoot)
  const main = join(repositoryRoot, 'apps/gateway/src/main.ts')
  const args = [...flags, '--watch', '--watch-preserve-output', main]
  return runNode(node, args, { cwd: repositoryRoot, env: { ...env, ...given } })
}

/** The console as Vite serves it, which changes the page without loading it again, and passes calls on to the gateway. */
function startConsole(node, port, gatewayPort) {
  const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js')
  const args = [vite, '--port', port, '--strictPort', '--clearScreen', 'false']
  const env = { ...process.env, FAXDECK_GATEWAY: `http://127.0.0.1:${gatewayPort}` }
  return runNode(node, args, { cwd: join(repositoryRoot, 'apps/console'), env })
}

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [servedDocs])
  const gatewayPort = process.env.PORT || (await freePort(8080))
  const consolePort = await freePort(5173)
  console.log(
    `\n  Console   http://localhost:${consolePort}/admin-demo/\n  Key       ${process.env.API_KEY ?? exampleKey}\n`,
  )
  const ended = await Promise.race([startGateway(node, gatewayPort), startConsole(node, consolePort, gatewayPort)])
  return ended.code
})
