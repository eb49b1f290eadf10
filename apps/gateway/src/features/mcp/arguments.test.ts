import { describe, expect, it, onTestFinished } from 'vitest'
import { listen, manners, use } from './testing/speakers.ts'

describe.each(Object.entries(manners))('%s', (_name, connect) => {
  it('is told by name which argument a tool does not take', async () => {
    const { url, key } = await listen()
    const client = await connect(url, { 'x-api-key': key })
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(7)
    for (const { name, inputSchema } of tools) {
      expect(inputSchema, name).toMatchObject({ additionalProperties: false })
      const said = await use(client, name, { idempotencyKey: 'k' }).catch((error: unknown) => ({
        isError: true,
        content: [{ text: String(error) }],
      }))
      expect(said.isError, name).toBe(true)
      expect(said.content[0]?.text, name).toContain('"idempotencyKey"')
    }
  })
})
