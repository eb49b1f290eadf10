import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

type Value = string | number | boolean

/** A port that nothing listens on: discard (RFC 863). */
export const nowhere = { host: '127.0.0.1', port: 9 }

const scripting = '/org.openoffice.Office.Common/Security/Scripting'
const proxies = '/org.openoffice.Inet/Settings'

/** Macros and embedded programs do not run, nothing outside of the document is read, and there is no way out. */
const settings: readonly (readonly [path: string, name: string, value: Value])[] = [
  [scripting, 'MacroSecurityLevel', 3],
  [scripting, 'DisableMacrosExecution', true],
  [scripting, 'DisableActiveContent', true],
  [scripting, 'BlockUntrustedRefererLinks', true],
  ['/org.openoffice.Office.Writer/Content/Update', 'Link', 0],
  ['/org.openoffice.Office.Calc/Content/Update', 'Link', 1],
  ['/org.openoffice.Office.Common/Java', 'Enable', false],
  ['/org.openoffice.Office.Common/Misc', 'FirstRun', false],
  ['/org.openoffice.Office.Common/Misc', 'CrashReport', false],
  [
    "/org.openoffice.Office.Jobs/Jobs/org.openoffice.Office.Jobs:Job['UpdateCheck']/Arguments",
    'AutoCheckEnabled',
    false,
  ],
  [proxies, 'ooInetProxyType', 2],
  [proxies, 'ooInetNoProxy', ''],
  ...['HTTP', 'HTTPS', 'FTP'].flatMap((protocol) => [
    [proxies, `ooInet${protocol}ProxyName`, nowhere.host] as const,
    [proxies, `ooInet${protocol}ProxyPort`, nowhere.port] as const,
  ]),
]

const item = ([path, name, value]: (typeof settings)[number]) =>
  `<item oor:path="${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`

const file = [
  '<?xml version="1.0" encoding="UTF-8"?>',
  '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">',
  ...settings.map(item),
  '</oor:items>',
].join('\n')

/** Writes the profile of one run of LibreOffice into a folder of its own. */
export async function writeProfile(folder: string): Promise<void> {
  const user = join(folder, 'user')
  await mkdir(user, { recursive: true, mode: 0o700 })
  await writeFile(join(user, 'registrymodifications.xcu'), file, { mode: 0o600 })
}
