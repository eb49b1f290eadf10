import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { repositoryRoot } from '../repository.mjs'
import { closeSection } from './changelog.mjs'
import { assertNextVersion, writeVersion } from './versions.mjs'

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
  it('is one version everywhere but in the client libraries, and npm finds the lock file in step', () => {
    const copy = mkdtempSync(join(tmpdir(), 'faxdeck-release-'))
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
    const listed = execFileSync('git', ['ls-files', '*package.json', 'package-lock.json'], { cwd: repositoryRoot })
    for (const file of listed.toString().trim().split('\n')) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      cpSync(join(repositoryRoot, file), join(copy, file))
    }
    const written = writeVersion(copy, '7.8.9')
    const versions = written
      .map((file) => ({ file, json: JSON.parse(readFileSync(join(copy, file), 'utf8')) as { version: string } }))
      .filter(({ json }) => json.version !== '7.8.9')
    expect(versions.map(({ file }) => file)).toEqual(['packages/sdk-node/package.json'])
    const check = ['ci', '--dry-run', '--ignore-scripts', '--offline', '--no-audit']
    writeFileSync(join(copy, '.npmrc'), '')
    expect(() => execFileSync('npm', check, { cwd: copy, stdio: 'pipe' })).not.toThrow()
    execFileSync('npm', ['pkg', 'set', 'dependencies.@faxdeck/contract=1.0.2', '--workspace=@faxdeck/gateway'], {
      cwd: copy,
    })
    expect(() => execFileSync('npm', check, { cwd: copy, stdio: 'pipe' })).toThrow()
  })
})
