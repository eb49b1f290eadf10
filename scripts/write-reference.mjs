import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runScript } from './problem.mjs'
import { callsPage, errorsPage } from './reference/calls-page.mjs'
import { checksPage } from './reference/checks-page.mjs'
import { pythonMessages, pythonModels } from './reference/client-types/python.mjs'
import { pythonAsync } from './reference/client-types/python-async.mjs'
import { typescriptMessages, typescriptTypes } from './reference/client-types/typescript.mjs'
import { settingsPage } from './reference/settings-page.mjs'
import { webhooksPage } from './reference/webhooks-page.mjs'
import { repositoryRoot } from './repository.mjs'

const pages = {
  'docs/reference/calls.md': callsPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/checks.md': checksPage,
  'docs/reference/settings.md': settingsPage,
  'packages/sdk-node/src/models.ts': typescriptTypes,
  'packages/sdk-node/src/messages.ts': typescriptMessages,
  'sdk-python/faxdeck/aio.py': pythonAsync,
  'sdk-python/faxdeck/models.py': pythonModels,
  'sdk-python/faxdeck/messages.py': pythonMessages,
  'docs/reference/webhooks.md': webhooksPage,
}

await runScript(async () => {
  const stale = Object.entries(pages).filter(([path, page]) => read(join(repositoryRoot, path)) !== page())
  if (!process.argv.includes('--check')) {
    for (const [path, page] of stale) write(join(repositoryRoot, path), page())
    return 0
  }
  for (const [path] of stale)
    console.log(`${path} is not what the rows say now: run "npm run reference" and commit it.`)
  return stale.length > 0 ? 1 : 0
})

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return null
    throw error
  }
}

function write(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
