#!/usr/bin/env node
import { join } from 'node:path'
import { Problem, runScript } from '../../scripts/problem.mjs'
import { repositoryRoot as root } from '../../scripts/repository.mjs'
import { runNode } from '../../scripts/run-child.mjs'
import { cacheFolder } from '../../scripts/setup/cache-folder.mjs'
import { findNode } from '../../scripts/setup/find-node.mjs'
import { nodeEnvironment, nodeFlags } from './process.mjs'

const help = `Serves the fax gateway and its console. Settings are environment variables, or lines of faxdeck.env in the data
directory (FAX_DATA_DIR, or the folder faxdata here).

  --new   Begin an empty installation, also where the data of a former one is missing.

The command line comes with it: faxdeck --help`

await runScript(async () => {
  const [first] = process.argv.slice(2)
  if (first === '--help' || first === '-h') {
    console.log(help)
    return 0
  }
  if (first !== undefined && first !== '--new') {
    throw new Problem(`faxdeck-gateway does not take "${first}".\n\n${help}`, 2)
  }
  const args = [...nodeFlags, join(root, 'apps/gateway/dist/serve.js')]
  const isNew = first === '--new' && { FAX_NEW_INSTALLATION: 'true' }
  const env = { ...compileCache(), ...nodeEnvironment, ...process.env, ...isNew }
  const { code } = await runNode(findNode(root), args, { cwd: process.cwd(), env })
  return code
})

function compileCache() {
  const folder = cacheFolder(process.env)
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: folder }
}
