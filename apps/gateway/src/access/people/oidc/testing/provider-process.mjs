// A real OpenID Connect provider in a process of its own: `oidc-provider` with its forms for development, where any
// password is right. Reads what it needs from PROVIDER, writes its address to standard output, and ends with its input.
import { createServer } from 'node:http'
import { Provider } from 'oidc-provider'

const { accounts, client, host } = JSON.parse(process.env.PROVIDER ?? '{}')

const server = createServer((request, response) => answer(request, response))
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://${host}:${server.address().port}`
const provider = new Provider(issuer, {
  clients: [
    {
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      ...client,
    },
  ],
  features: { backchannelLogout: { enabled: true } },
  // Its own dispatcher refuses addresses of this machine, where a gateway under test listens.
  fetch: (url, options) => fetch(url, { ...options, dispatcher: undefined }),
  pkce: { required: () => true },
  cookies: { keys: ['a key for the cookies of a test'] },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
  findAccount: (_context, id) => accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
})
const answer = provider.callback()
process.stdin.on('end', () => process.exit(0)).resume()
process.stdout.write(`${issuer}\n`)
