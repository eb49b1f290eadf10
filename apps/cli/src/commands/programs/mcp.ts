import { command } from '../../command.ts'

export const mcp = command({
  name: 'mcp',
  summary: 'Serve an assistant over standard input and output (MCP)',
  about:
    'The assistant starts this program and may do what its key allows. Where HIPAA applies, prefer the HTTP transport of the gateway: a process that runs as a user on a workstation is hard to audit.',
  examples: ['faxdeck mcp'],
  async run(_given, { client, version, out }) {
    // Loaded only here: the libraries are large.
    const { serveMcp } = await import('./serve-mcp.ts')
    await serveMcp(client, version, (text) => out.note(text))
  },
})
