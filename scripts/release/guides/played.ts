import { commandsOf, type GuideCommand } from './guide-commands.ts'

/** The guides that are played command by command. */
export const guides = ['install', 'operations', 'storage', 'moving'] as const
type Guide = (typeof guides)[number]

const elsewhere = (file: string) => `It runs in ${file}.`
const docker = 'There is no Docker and no registry of images where tests run.'
const copiedFolder = 'Only a copied folder asks; e2e/long/copied-folder.e2e.test.ts makes the same call.'
const spoken = 'It is only spoken of, and runs in a block or with its options elsewhere in these guides.'

/** Commands that are not played, with the reason. */
export const notPlayed: Readonly<Record<string, string>> = {
  'sudo systemctl edit faxdeck.socket': 'It opens an editor.',
  'sudo -u faxdeck faxdeck …': spoken,
  'npm install --global ./faxdeck-gateway-<version>.tgz': elsewhere('scripts/release/install.test.ts'),
  'faxdeck-gateway': elsewhere('scripts/release/install.test.ts'),
  'docker compose up --detach': docker,
  'docker compose exec gateway cat bootstrap-key': docker,
  'docker compose stop gateway': docker,
  'docker compose run --rm --volume ./old-gateway:/old:ro gateway faxdeck import /old': docker,
  'docker compose run --rm --volume /srv/backups:/backups:ro gateway faxdeck restore /backups/<date>': docker,
  'docker logs': docker,
  'faxdeck data-folder moved': copiedFolder,
  'faxdeck data-folder copied': copiedFolder,
  'npm publish <file>.tgz': 'It publishes.',
  'twine upload': 'It publishes.',
  'npm start': elsewhere('e2e/telephony/first-fax.e2e.test.ts'),
  'npm start -- --new':
    'There is no checkout on an installed machine; --new sets the variable that former-installation.test.ts tests.',
  'faxdeck-gateway --new': 'As npm start -- --new.',
  'kill -9': elsewhere('e2e/crash'),
  'faxdeck backup': spoken,
  'faxdeck restore': spoken,
  'faxdeck restore ../backups/<date> --data ./faxdata': elsewhere('scripts/release/install.test.ts'),
  'faxdeck release': elsewhere('e2e/long/hold.e2e.test.ts'),
  'faxdeck cancel': elsewhere('e2e/command-line.e2e.test.ts'),
  'faxdeck hold': spoken,
  'faxdeck migrate': elsewhere('e2e/long/command-line.e2e.test.ts'),
  'faxdeck rotate-master-key': spoken,
  'faxdeck import': spoken,
  'faxdeck settings import': elsewhere('e2e/command-line.e2e.test.ts'),
}

/** The commands of a block: the n-th below a heading. @throws when the guide has none there */
export function blockOf(guide: Guide, heading: string, block = 0): GuideCommand[] {
  const found = commandsOf(guide).filter((each) => each.heading === heading && each.block === block)
  if (found.length === 0) throw new Error(`docs/guides/${guide}.md has no block ${block} below "${heading}".`)
  return found
}

/** A command in a sentence. @throws when the guide does not have it any more */
export function sentenceOf(guide: Guide, text: string): GuideCommand[] {
  const found = commandsOf(guide).find((each) => each.block === null && each.text === text)
  if (!found) throw new Error(`docs/guides/${guide}.md does not have the command "${text}".`)
  return [found]
}

/** Everything that the scenarios play, in the order of the guides. */
export const played = {
  install: blockOf('install', 'Debian and Ubuntu', 0),
  readKey: blockOf('install', 'Debian and Ubuntu', 1),
  status: sentenceOf('install', 'systemctl status faxdeck'),
  socket: blockOf('install', 'Debian and Ubuntu', 2),
  checksums: sentenceOf('install', 'sha256sum --check SHA256SUMS'),
  remove: sentenceOf('install', 'apt remove faxdeck'),
  purge: sentenceOf('install', 'apt purge faxdeck'),
  goBack: blockOf('install', 'Going back to an older version', 0),
  giveBack: blockOf('install', 'Going back to an older version', 1),
  backup: blockOf('operations', 'Backup'),
  doctor: sentenceOf('operations', 'faxdeck doctor'),
  newMachine: blockOf('operations', 'Restoring', 0),
  listRestored: blockOf('operations', 'Restoring', 1),
  newDisk: blockOf('operations', 'Restoring', 2),
  beginAnew: blockOf('operations', 'When the data is missing'),
  listHeld: sentenceOf('operations', 'faxdeck jobs --status held'),
  hold: blockOf('operations', 'Restoring by other means'),
  acceptStorage: sentenceOf('storage', 'faxdeck accept-storage'),
  rotateKey: sentenceOf('storage', 'faxdeck rotate-key'),
  rotateMasterKey: sentenceOf('storage', 'sudo -u faxdeck faxdeck rotate-master-key'),
  makeKey: sentenceOf('storage', 'openssl rand -hex 32'),
  importPlan: blockOf('moving', 'Overview'),
  importThere: sentenceOf('moving', 'sudo -u faxdeck faxdeck import /srv/old-gateway'),
} as const
