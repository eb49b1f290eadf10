import { type Line, type Provider, ProviderProblem } from '@faxdeck/provider-kit'
import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'

const registerTimeoutMs = 15_000

interface Registration {
  success: boolean
  webhook_url: string | null
  error: string | null
}

const failed = (error: string): Registration => ({ success: false, webhook_url: null, error })

/** The provider whose API can register the address for received faxes: the one that receives, else the one that sends. */
function registrar({ providers }: GatewayContext): Provider | undefined {
  return [providers.inbound(), providers.outbound()].find(({ traits }) => traits.supports_oauth)
}

/**
 * Tells the provider where to post received faxes. Answers a refusal rather than throwing one: whose fault it is, is
 * part of the answer. The address comes back without the password that was put into it.
 */
export async function registerWebhook(context: GatewayContext, keyId: string): Promise<Registration> {
  const provider = registrar(context)
  const path = provider?.traits.webhook_path
  if (!provider || !path) return failed('Apply Sinch as the provider first, then register.')
  const publicUrl = context.settings.current().public_api_url.replace(/\/+$/, '')
  if (publicUrl === '') return failed('Set the public API URL first. The provider posts received faxes there.')
  const address = publicUrl + path
  try {
    const line: Line = context.providers.line(provider.id)
    if (!line.registerWebhook)
      return failed(`${provider.name} does not support registering the callback URL automatically.`)
    await line.registerWebhook(address, AbortSignal.timeout(registerTimeoutMs))
  } catch (error) {
    if (error instanceof ProviderProblem || error instanceof Problem) return failed(error.message)
    throw error
  }
  await context.events.webhookRegistered({ key_id: keyId, backend: provider.id })
  return { success: true, webhook_url: address, error: null }
}
