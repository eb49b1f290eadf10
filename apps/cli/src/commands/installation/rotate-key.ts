import { command } from '../../command.ts'
import { withUpkeep } from './upkeep.ts'

export const rotateKey = command({
  name: 'rotate-key',
  summary: 'Replace the key that protects the keys of documents',
  about:
    'Wraps the key of every document with a new one; the documents themselves are not touched. With the embedded database, stop the gateway first. The master key stays as it is.',
  examples: ['faxdeck rotate-key'],
  async run(_given, { out, dataDirectory: directory, env }) {
    const onProgress = (done: number, of: number) => out.progress(`${done} of ${of}…`)
    const rotated = await withUpkeep((tools) => tools.rotateKey({ directory, env, now: () => new Date(), onProgress }))
    out.answer(rotated, () => out.line(`A new key protects ${rotated.documents} documents.`))
  },
})
