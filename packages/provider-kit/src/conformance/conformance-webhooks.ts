import {
  failureKinds,
  type Provider,
  type ProviderSettings,
  type StatusUpdate,
  type Webhook,
  type WebhookRequest,
} from '../provider.ts'

/** A request as the provider sends it, with a valid proof. */
export interface WebhookFixture {
  name: string
  /** Path of the webhook that receives it. */
  path: string
  request: WebhookRequest
  /** What the proof covers: everything that was sent, or, as with a password, only itself. */
  proves: 'content' | 'itself'
}

const states: ReadonlySet<string> = new Set<StatusUpdate['state']>(['queued', 'in_progress', 'delivered', 'failed'])

/** What is wrong with the way a provider receives a fixture, one sentence each. */
export function webhookFaults(provider: Provider, fixture: WebhookFixture, settings: ProviderSettings): string[] {
  const webhook = provider.webhooks.find(({ path }) => path === fixture.path)
  if (!webhook) return [`${fixture.name}: there is no webhook at ${fixture.path}.`]
  const faults = webhook.verify(fixture.request, settings) ? [] : [`${fixture.name}: a true proof is refused.`]
  faults.push(...headFaults(webhook, fixture, settings))
  for (const [what, forged] of forgeries(fixture, provider.traits.signature_header ?? '')) {
    if (webhook.verify(forged, settings)) faults.push(`${fixture.name}: ${what} is accepted.`)
  }
  const { updates = [], incoming = [], answer } = webhook.translate(fixture.request, settings)
  if (updates.length + incoming.length === 0 && !answer) faults.push(`${fixture.name}: it means nothing.`)
  for (const update of updates) faults.push(...updateFaults(update).map((fault) => `${fixture.name}: ${fault}`))
  if (incoming.some(({ providerId }) => providerId === '')) faults.push(`${fixture.name}: a received fax has no id.`)
  return faults
}

/** What is wrong with what is said of the fixture before its body is read. */
function headFaults(webhook: Webhook, { name, request, proves }: WebhookFixture, settings: ProviderSettings): string[] {
  const proof = webhook.proveHead(request, settings)
  const expected = proves === 'itself' ? 'proved' : 'pending'
  const faults = proof === expected ? [] : [`${name}: its head counts as ${proof} instead of ${expected}.`]
  const bare = webhook.proveHead({ ...request, headers: {} }, settings)
  if (bare !== 'none') faults.push(`${name}: a body without any proof in its head is read.`)
  const unset = Object.fromEntries(Object.keys(settings).map((key) => [key, null]))
  if (webhook.proveHead(request, unset) !== 'none') faults.push(`${name}: a body is read while nothing is set up.`)
  return faults
}

/** What is wrong with how an authentic notice with an unknown status is received, one sentence each. */
export function noticeFaults(
  provider: Provider,
  { path, request }: Pick<WebhookFixture, 'path' | 'request'>,
  settings: ProviderSettings,
): string[] {
  const webhook = provider.webhooks.find((each) => each.path === path)
  if (!webhook?.verify(request, settings)) return [`There is no webhook at ${path} that believes the notice.`]
  const { incoming = [] } = webhook.translate(request, settings)
  const [fax] = incoming
  if (incoming.length !== 1 || !fax) return [`The notice becomes ${incoming.length} received faxes instead of one.`]
  const faults = fax.state === 'unclear' ? [] : [`The fax counts as ${fax.state} instead of unclear.`]
  if (!fax.sentence?.endsWith('.')) faults.push('The reason why a person should look at it is not a sentence.')
  if (fax.document === null) faults.push('Its document is not kept, nor the way to it.')
  if (!fax.notification) faults.push('The notice is not kept.')
  return faults
}

/** What is wrong with a status update, one sentence each. */
export function updateFaults(update: StatusUpdate): string[] {
  const { state, kind, sentence } = update
  const faults = states.has(state) ? [] : [`The state ${state} is unknown.`]
  if (!update.attemptId && !update.providerId) faults.push('The update names no fax.')
  if (state !== 'failed') return faults
  if (!failureKinds.some((known) => known === kind)) faults.push('The failure is of no known kind.')
  if (!sentence?.endsWith('.')) faults.push('The failure is not described in a sentence.')
  return faults
}

function* forgeries(fixture: WebhookFixture, header: string): Generator<[what: string, WebhookRequest]> {
  const { request } = fixture
  const name = header.toLowerCase()
  const proof = request.headers[name] ?? ''
  yield ['a request without proof', { ...request, headers: { ...request.headers, [name]: undefined } }]
  for (const index of spread(proof.length)) {
    // The last character before padding may carry bits that decoding drops, so it is left alone.
    if (/[=\s]/.test(proof.slice(index, index + 3))) continue
    yield [
      `a proof changed at ${index}`,
      { ...request, headers: { ...request.headers, [name]: flipText(proof, index) } },
    ]
  }
  if (fixture.proves === 'itself') return
  yield ['another address', { ...request, url: `${request.url}x` }]
  for (const [index, [field, value]] of request.fields.entries()) {
    const fields = request.fields.with(index, [field, flipText(value, value.length >> 1)])
    yield [`the changed field ${field}`, { ...request, fields }]
  }
  for (const [index, file] of request.files.entries()) {
    const files = request.files.with(index, { ...file, bytes: flipByte(file.bytes, file.bytes.length >> 1) })
    yield [`the changed file ${file.name}`, { ...request, files }]
  }
  if (request.fields.length + request.files.length > 0) return
  for (const index of spread(request.body.length)) {
    yield [`a body changed at ${index}`, { ...request, body: flipByte(request.body, index) }]
  }
}

/** Some places of a length: all of a short one, about forty of a long one. */
function spread(length: number): number[] {
  const step = Math.max(1, Math.floor(length / 40))
  return Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step)
}

function flipByte(bytes: Uint8Array, index: number): Uint8Array {
  return bytes.with(index, (bytes[index] ?? 0) ^ 1)
}

function flipText(text: string, index: number): string {
  const other = text[index] === 'a' ? 'b' : 'a'
  return text.slice(0, index) + other + text.slice(index + 1)
}
