import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repositoryRoot } from '../repository.mjs'
import { closeSection } from './changelog.mjs'
import { assertNextVersion, currentVersion, writeVersion } from './versions.mjs'

const changelog = `# Changelog

Words.

## Unreleased

### Added

- Pages.

## 1.0.2

- Before.
`
const today = new Date('2026-11-23T12:00:00Z')

describe('the changelog', () => {
  it('gets a section of what was unreleased, which is empty from then on', () => {
    const closed = closeSection(changelog, '1.1.0', today)
    expect(closed.section).toBe('### Added\n\n- Pages.')
    expect(closed.changelog).toBe(changelog.replace('## Unreleased\n\n', '## Unreleased\n\n## 1.1.0 (2026-11-23)\n\n'))
    expect(() => closeSection(closed.changelog, '1.2.0', today)).toThrow('nothing under "## Unreleased"')
  })
})

describe('the next version', () => {
  it.each(['1.0.3', '1.1.0', '2.0.0'])('after 1.0.2 may be %s', (next) => {
    expect(() => assertNextVersion('1.0.2', next)).not.toThrow()
  })

  it.each(['1.0.2', '1.0.4', '1.1.1', '1.2.0', '0.9.0', 'v1.1.0', '1.1'])('after 1.0.2 is not %s', (next) => {
    expect(() => assertNextVersion('1.0.2', next)).toThrow(/1\.0\.3|such as/)
  })
})

describe('a release of a copy of this repository', () => {
  it('is one version everywhere, also in the client libraries, and npm finds the lock file in step', () => {
    const said = [
      'packages/sdk-node/README.md',
      'sdk-python',
      'apps/console/src/screens/dashboard/snippets.ts',
      'docs/guides/developers.md',
    ]
    const copy = mkdtempSync(join(tmpdir(), 'faxdeck-release-'))
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
    const listed = execFileSync('git', ['ls-files', '*package.json', 'package-lock.json', ...said], {
      cwd: repositoryRoot,
    })
    for (const file of listed.toString().trim().split('\n')) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(repositoryRoot, file), join(copy, file))
    }
    const written = writeVersion(copy, '7.8.9')
    const read = (file: string) => readFileSync(join(copy, file), 'utf8')
    const manifests = written.filter((file) => file.endsWith('.json'))
    expect(manifests.filter((file) => (JSON.parse(read(file)) as { version: string }).version !== '7.8.9')).toEqual([])
    expect(manifests).toContain('packages/sdk-node/package.json')
    for (const file of written) expect(read(file), file).toContain('7.8.9')
    for (const file of written.filter((each) => !manifests.includes(each)))
      expect(read(file), file).not.toContain(currentVersion(repositoryRoot))
    const check = ['ci', '--dry-run', '--ignore-scripts', '--offline', '--no-audit']
    writeFileSync(join(copy, '.npmrc'), '')
    expect(() => execFileSync('npm', check, { cwd: copy, stdio: 'pipe' })).not.toThrow()
    execFileSync('npm', ['pkg', 'set', 'dependencies.@faxdeck/contract=1.0.2', '--workspace=@faxdeck/gateway'], {
      cwd: copy,
    })
    expect(() => execFileSync('npm', check, { cwd: copy, stdio: 'pipe' })).toThrow()
  })
})
