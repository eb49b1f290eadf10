import type { BootstrapKey } from './api-keys/bootstrap.ts'

interface BannerFacts {
  /** Where the console is. */
  url: string
  key: BootstrapKey
  testLine: boolean
}

function keyLines({ key, file, isNew }: BootstrapKey): string[] {
  if (file === null) return ['Key       the one in API_KEY']
  return isNew ? [`Key       ${key}`, `          kept in ${file}; log in with it`] : [`Key       kept in ${file}`]
}

/** What a person who starts the gateway needs to know. The key is shown once, when it is made. */
export function bannerOf({ url, key, testLine }: BannerFacts): string {
  const lines = [
    `Faxdeck   ${url}`,
    ...keyLines(key),
    ...(testLine
      ? ['Test line is on: nothing leaves this machine. Set up a provider in the console to send for real.']
      : []),
    'Ctrl-C stops it.',
  ]
  return `\n${lines.map((line) => `  ${line}`).join('\n')}\n`
}
