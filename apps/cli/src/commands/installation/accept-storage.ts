import { command } from '../../command.ts'
import { withUpkeep } from './upkeep.ts'

export const acceptingStorage = command({
  name: 'accept-storage',
  summary: 'Accept the documents folder or bucket as it is',
  about:
    'For a gateway that refuses to start because its documents are not where they were. If a volume is not mounted, mount it instead. Documents that are missing stay missing. Stop the gateway first.',
  examples: ['faxdeck accept-storage'],
  async run(_given, { out, dataDirectory: directory, env }) {
    await withUpkeep(({ acceptStorage }) => acceptStorage({ directory, env }))
    out.answer({ accepted: true }, () => out.line('The next start accepts the storage as it is.'))
  },
})
