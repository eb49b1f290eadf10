import { command } from '../../command.ts'
import { usageFault } from '../../fault.ts'

export const dataFolder = command({
  name: 'data-folder',
  takes: '<moved|copied>',
  max: 1,
  summary: 'Say what became of a data folder that is found in another place',
  about:
    'The gateway sends nothing until it knows. Say moved when nothing else uses the original: its faxes go on. Say copied when the original goes on: the faxes in the copy that have not ended are held, because the original sends them.',
  examples: ['faxdeck data-folder moved'],
  async run({ words: [was] }, { client, out }) {
    if (was !== 'moved' && was !== 'copied') throw usageFault('Say moved or copied.')
    await client.settleDataFolder({ body: { was } })
    out.answer({ was }, () =>
      out.line(
        was === 'moved'
          ? 'The data folder was moved. Its faxes go on.'
          : 'The data folder is a copy. Its unfinished faxes are held: release or cancel them.',
      ),
    )
  },
})
