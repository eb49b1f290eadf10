import { Problem } from '../problem.mjs'

const heading = '## Unreleased'

/**
 * Makes a section of what has gathered under "Unreleased".
 * @param {string} changelog as https://keepachangelog.com lays it out
 * @param {string} version
 * @param {Date} on
 * @returns {{ changelog: string, section: string }} the new text, and the section alone: the notes of the release
 * @throws {Problem} when nothing stands under "Unreleased"
 */
export function closeSection(changelog, version, on) {
  const from = changelog.indexOf(`${heading}\n`)
  const rest = from < 0 ? '' : changelog.slice(from + heading.length)
  const end = rest.search(/^## /m)
  const section = (end < 0 ? rest : rest.slice(0, end)).trim()
  if (section === '') {
    throw new Problem(
      'CHANGELOG.md has nothing under "## Unreleased": write there what users will see, then try again.',
    )
  }
  const title = `## ${version} (${on.toISOString().slice(0, 10)})`
  const after = end < 0 ? '' : `\n${rest.slice(end)}`
  return { changelog: `${changelog.slice(0, from)}${heading}\n\n${title}\n\n${section}\n${after}`, section }
}
