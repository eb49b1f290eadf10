#!/usr/bin/env node
import { homedir } from 'node:os'
import { join } from 'node:path'
import { Problem, runScript } from '../../scripts/problem.mjs'
import { repositoryRoot as root } from '../../scripts/repository.mjs'
import { runNode } from '../../scripts/run-child.mjs'
import { findNode } from '../../scripts/setup/find-node.mjs'
import { nodeEnvironment, nodeFlags } from './process.mjs'

const help = `Serves the fax gateway and its console. It takes no options: settings are environment variables, or lines of
faxdeck.env in the data directory (FAX_DATA_DIR, or the folder faxdata here).

The command line comes with it: faxdeck --help`

await runScript(async () => {
  const [first] = process.argv.slice(2)
  if (first === '--help' || first === '-h') {
    console.log(help)
    return 0
  }
  if (first !== undefined) throw new Problem(`faxdeck-gateway takes no arguments, not "${first}".\n\n${help}`, 2)
  const args = [...nodeFlags, join(root, 'apps/gateway/dist/serve.js')]
  const env = { ...compileCache(), ...nodeEnvironment, ...process.env }
  const { code } = await runNode(findNode(root), args, { cwd: process.cwd(), env })
  return code
})

/** None for a user without a home, as in a container: nowhere else is a place that only they can write. */
function compileCache() {
  try {
    const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
    return { NODE_COMPILE_CACHE: join(cache, 'faxdeck') }
  } catch {
    return {}
  }
}
