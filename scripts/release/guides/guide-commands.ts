import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot as root } from '../../repository.mjs'

/** A command as a guide has it: a line of a block, or words between backquotes in a sentence. */
export interface GuideCommand {
  guide: string
  /** The heading above it. */
  heading: string
  text: string
  /** Which block below the heading, from 0; null for words in a sentence. */
  block: number | null
}

/** How a command begins. Names of settings, files and addresses between backquotes do not. */
const program =
  /^(sudo|apt|apt-get|dpkg|systemctl|faxdeck|faxdeck-gateway|npm|npx|docker|podman|openssl|sha256sum|pg_dump|pg_restore|psql|kill|twine|pip)(?= |$)/
/** A program's name alone is spoken of, not called. */
const isCall = (text: string) => program.test(text) && text.includes(' ')

/** Every command of a guide, in its order. */
export function commandsOf(guide: string): GuideCommand[] {
  const commands: GuideCommand[] = []
  let heading = ''
  let fenced: string | undefined
  let block = -1
  for (const line of readFileSync(join(root, `docs/guides/${guide}.md`), 'utf8').split('\n')) {
    const [, fence] = /^\s*```(\w*)$/.exec(line) ?? []
    if (fence !== undefined) {
      fenced = fenced === undefined ? fence : undefined
      if (fenced === 'sh') block += 1
    } else if (fenced !== undefined) {
      const text = line.replace(/\s+#.*$/, '').trim()
      if (fenced === 'sh' && text !== '') commands.push({ guide, heading, text, block })
    } else if (line.startsWith('#')) {
      heading = line.replace(/^#+ /, '')
      block = -1
    } else {
      for (const [, text = ''] of line.matchAll(/`([^`]+)`/g)) {
        if (isCall(text)) commands.push({ guide, heading, text, block: null })
      }
    }
  }
  return commands
}
