#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { runScript } from '../../scripts/problem.mjs'
import { repositoryRoot as root } from '../../scripts/repository.mjs'
import { findNode } from '../../scripts/setup/find-node.mjs'

const program = join(root, 'apps/gateway/dist/command-line.js')

await runScript(async () => {
  const node = findNode(root)
  if (realpathSync(node) !== realpathSync(process.execPath)) return runWith(node)
  await import(pathToFileURL(program).href)
  return process.exitCode
})

/** A terminal tells both programs of Ctrl-C; a supervisor tells only this one. */
function runWith(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.on('SIGINT', () => undefined).on('SIGTERM', () => child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? 1))
  })
}
