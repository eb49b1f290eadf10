import { join } from 'node:path'
import { runScript } from './problem.mjs'
import { repositoryRoot } from './repository.mjs'
import { runNode } from './run-child.mjs'
import { prepareCheckout } from './setup/prepare-checkout.mjs'
import { gatewayProcess } from './start/gateway-process.mjs'

const gatewayPort = process.env.PORT || '8080'
const consolePort = '5173'
const exampleKey = 'fbk_live_example_for_development'

/** The gateway of the sources, on the test line, with a data directory of its own; started anew at each change. */
function startGateway(node) {
  const given = {
    FAX_DATA_DIR: join(repositoryRoot, '.cache/dev'),
    FAX_DISABLED: 'true',
    INBOUND_ENABLED: 'true',
    API_KEY: exampleKey,
    ...process.env,
    PORT: gatewayPort,
  }
  const { flags, env } = gatewayProcess(repositoryRoot)
  const main = join(repositoryRoot, 'apps/gateway/src/main.ts')
  const args = [...flags, '--watch', '--watch-preserve-output', main]
  return runNode(node, args, { cwd: repositoryRoot, env: { ...env, ...given } })
}

/** The console as Vite serves it, which changes the page without loading it again, and passes calls on to the gateway. */
function startConsole(node) {
  const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js')
  const args = [vite, '--port', consolePort, '--strictPort', '--clearScreen', 'false']
  const env = { ...process.env, FAXDECK_GATEWAY: `http://127.0.0.1:${gatewayPort}` }
  return runNode(node, args, { cwd: join(repositoryRoot, 'apps/console'), env })
}

await runScript(async () => {
  const node = await prepareCheckout(repositoryRoot, [])
  console.log(
    `\n  Console   http://localhost:${consolePort}/admin-demo/\n  Key       ${process.env.API_KEY ?? exampleKey}\n`,
  )
  const ended = await Promise.race([startGateway(node), startConsole(node)])
  return ended.code
})
