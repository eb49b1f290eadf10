import { command } from '../../command.ts'
import { withUpkeep } from './upkeep.ts'

export const rotateMasterKey = command({
  name: 'rotate-master-key',
  summary: 'Replace the master key and seal everything with the new one',
  about:
    'Stop every gateway of the installation first. No document is touched. The former key stays in the data directory under another name: backups made until now need it. When FAXDECK_MASTER_KEY is set, give the new key as FAXDECK_NEW_MASTER_KEY. Can be interrupted at any moment.',
  examples: ['faxdeck rotate-master-key'],
  async run(_given, { out, dataDirectory: directory, env }) {
    const done = await withUpkeep((tools) => tools.rotateMasterKey({ directory, env, now: () => new Date() }))
    out.answer(done, () =>
      out.line(
        done.state === 'finished'
          ? 'Everything was already sealed with the new key. Nothing was changed.'
          : `The master key was replaced: ${done.sealed} secrets are sealed with the new one.`,
      ),
    )
    if (done.former !== null) out.note(`Backups made until now need the former key, which is in ${done.former}.`)
    if (done.given) {
      out.note(
        'Set FAXDECK_MASTER_KEY to the new key before you start the gateway. Backups made until now need the former one.',
      )
    }
    if (done.unreadable.length > 0) {
      out.note(`The former key did not open these, and they stay as they were: ${done.unreadable.join(', ')}.`)
    }
  },
})
