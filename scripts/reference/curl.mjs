/** Text as one word of a shell. */
const word = (text) => (/^[\w+@:/.,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`)

/**
 * A call as curl makes it, with `FAXDECK_URL` and `FAXDECK_API_KEY` in the environment.
 * @param {import('../../packages/contract/src/index.ts').RouteRow} row
 * @param {import('../../packages/contract/src/index.ts').Example} example
 */
export function curlOf({ method, path, permission, form, fileOptional, body, idempotent, event, reply }, example) {
  const filled = path.replace(/:(\w+)/g, (_, name) => encodeURIComponent(example.params?.[name] ?? name))
  const query = new URLSearchParams(Object.entries(example.query ?? {}).map(([name, value]) => [name, String(value)]))
  const address = `"$FAXDECK_URL${filled}${query.size > 0 ? `?${query}` : ''}"`
  const fields = Object.entries(example.form ?? {}).map(([name, value]) => `--form-string ${word(`${name}=${value}`)}`)
  const isFile = typeof reply === 'string' && reply !== 'none'
  const parts = [
    `curl ${event ? '--no-buffer ' : ''}${method === 'GET' || form || body ? '' : `--request ${method} `}${address}`,
    ...(body && method !== 'POST' ? [`--request ${method}`] : []),
    ...(permission ? ['--header "X-API-Key: $FAXDECK_API_KEY"'] : []),
    ...(idempotent ? ['--header "Idempotency-Key: letter-4711"'] : []),
    ...fields,
    ...(form && !fileOptional ? ['--form file=@letter.pdf'] : []),
    ...(body ? [`--json ${word(JSON.stringify(example.body ?? {}))}`] : []),
    ...(isFile ? [`--output answer.${reply === 'text' ? 'txt' : reply}`] : []),
  ]
  return parts.join(' \\\n  ')
}
