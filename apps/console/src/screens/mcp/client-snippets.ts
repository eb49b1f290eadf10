/** How an assistant reaches the gateway. */
export interface Connection {
  /** Origin of the gateway. */
  origin: string
  transport: 'http' | 'sse'
  path: string
  /** Then a client signs in by itself, and sends no key. */
  oauth: boolean
}

export interface ClientSnippet {
  key: string
  label: string
  /** Where it is to be pasted. */
  where: string
  code: string
}

const placeholder = 'YOUR_API_KEY'
const json = (value: unknown) => JSON.stringify(value, null, 2)

function claudeCode({ transport, oauth }: Connection, url: string): ClientSnippet {
  const header = oauth ? '' : ` --header "X-API-Key: ${placeholder}"`
  const code = `claude mcp add --transport ${transport} faxdeck ${url}${header}`
  return { key: 'claude-code', label: 'Claude Code', where: 'In a terminal.', code }
}

function cursor({ oauth }: Connection, url: string): ClientSnippet {
  const server = oauth ? { url } : { url, headers: { 'X-API-Key': placeholder } }
  const code = json({ mcpServers: { faxdeck: server } })
  return { key: 'cursor', label: 'Cursor', where: 'In ~/.cursor/mcp.json.', code }
}

function vsCode({ transport, oauth }: Connection, url: string): ClientSnippet {
  const id = 'faxdeck-api-key'
  const asked = { type: 'promptString', id, description: 'Faxdeck API key', password: true }
  const server = { type: transport, url }
  const code = oauth
    ? json({ servers: { faxdeck: server } })
    : json({ inputs: [asked], servers: { faxdeck: { ...server, headers: { 'X-API-Key': `\${input:${id}}` } } } })
  return {
    key: 'vs-code',
    label: 'VS Code',
    where: 'In .vscode/mcp.json. VS Code asks for the key and stores it.',
    code,
  }
}

function others({ transport, oauth }: Connection, url: string): ClientSnippet {
  const server = { type: transport, url }
  const code = json({ mcpServers: { faxdeck: oauth ? server : { ...server, headers: { 'X-API-Key': placeholder } } } })
  return { key: 'others', label: 'Other', where: 'In the file where the client lists its MCP servers.', code }
}

/** How clients are set up for this gateway, over the network. */
export function clientSnippets(connection: Connection): ClientSnippet[] {
  const url = connection.origin + connection.path
  return [claudeCode, cursor, vsCode, others].map((write) => write(connection, url))
}

/** How a client starts a process that talks to this gateway: for those that know no address. */
export function stdioSnippet(origin: string): string {
  const env = { FAXDECK_URL: origin, FAXDECK_API_KEY: placeholder }
  return json({ mcpServers: { faxdeck: { command: 'faxdeck', args: ['mcp'], env } } })
}
