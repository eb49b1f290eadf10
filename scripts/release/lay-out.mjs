import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { must } from './must.mjs'

/**
 * Copies tracked files to the same places below another folder.
 * @param {string} root the repository
 * @param {string} folder
 * @param {readonly string[]} patterns as `git ls-files` reads them; what serves tests is left out
 */
export async function copyTracked(root, folder, patterns) {
  const listed = await must('git ls-files', 'git', ['ls-files', ...patterns], { cwd: root })
  const isTest = (file) => /\/(testing|fixtures)\/|\.test\./.test(file)
  for (const file of listed.split('\n').filter((each) => each !== '' && !isTest(each))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
}

/**
 * Bundles what `packaging/<name>/rolldown.config.mjs` says.
 * @param {string} root the repository
 * @param {string} name
 * @param {string} folder to write
 */
export async function bundle(root, name, folder) {
  const bundler = [join(root, 'node_modules/rolldown/bin/cli.mjs'), '--config', 'rolldown.config.mjs']
  const env = { ...process.env, NODE_ENV: 'production', FAXDECK_BUNDLE: folder }
  await must('The bundle', process.execPath, bundler, { cwd: join(root, 'packaging', name), env })
}

/**
 * Makes the tarball of a laid-out package.
 * @param {string} folder
 * @param {string} target
 */
export async function pack(folder, target) {
  await must('npm pack', 'npm', ['pack', '--ignore-scripts', `--pack-destination=${target}`], { cwd: folder })
}
