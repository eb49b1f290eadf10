import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Problem, runScript } from './problem.mjs'
import { repositoryRoot as root } from './repository.mjs'
import { writeArtifacts } from './release/artifacts.mjs'
import { closeSection } from './release/changelog.mjs'
import { assertNextVersion, currentVersion, writeVersion } from './release/versions.mjs'
import { runQuietly } from './run-child.mjs'

const [version, ...more] = process.argv.slice(2)

await runScript(async () => {
  const current = currentVersion(root)
  if (version === undefined || more.length > 0) {
    throw new Problem(`Say which version comes after ${current}: npm run release -- 1.2.0`)
  }
  assertNextVersion(current, version)
  const { output } = await runQuietly('git', ['status', '--porcelain'], { cwd: root })
  if (output.trim() !== '') throw new Problem('There are changes that are not committed. Commit them, then try again.')
  const path = join(root, 'CHANGELOG.md')
  const { changelog, section } = closeSection(readFileSync(path, 'utf8'), version, new Date())
  writeVersion(root, version)
  writeFileSync(path, changelog)
  const folder = await writeArtifacts(root, { version, notes: section })
  console.log(`Version ${version} is prepared; nothing is committed or published. Its files are in ${relative(root, folder)}.

Read the changes (git diff), run npm run check and npm test, then:
  git commit --all --message "chore: release ${version}"
  git tag v${version}
Undo it with: git checkout .`)
  return 0
})
