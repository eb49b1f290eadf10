import { isLoopbackUrl, ProviderProblem, type ProviderSettings, readFields } from '@faxdeck/provider-kit'
import type { SinchProject } from './account.ts'
import { withCredentials } from './webhook-address.ts'

/** The service whose webhook counts: the one that is set, else the default one of the project, else its only one. */
async function serviceId(project: SinchProject, settings: ProviderSettings, signal: AbortSignal): Promise<string> {
  if (settings.sinch_service_id) return String(settings.sinch_service_id)
  const body = await project.ask('services?pageSize=100', signal, { what: 'to list the fax services' })
  const services =
    readFields(body)
      ?.list('services')
      .flatMap((each) => readFields(each) ?? []) ?? []
  const only = services.length === 1 ? services[0] : undefined
  const id = (services.find((service) => service.isTrue('defaultForProject')) ?? only)?.text('id')
  if (id) return id
  throw new ProviderProblem(
    'rejected',
    'The Sinch project has no default fax service: make one there, or set SINCH_SERVICE_ID.',
  )
}

/**
 * Registers where Sinch delivers received faxes, with the user and the password it is to prove itself with.
 * @throws {ProviderProblem} with a sentence saying what is missing, or what Sinch said
 */
export async function registerWebhook(
  project: SinchProject,
  address: string,
  settings: ProviderSettings,
  signal: AbortSignal,
): Promise<void> {
  if (isLoopbackUrl(address) && !isLoopbackUrl(String(settings.sinch_base_url))) {
    throw new ProviderProblem(
      'rejected',
      'Sinch cannot reach this machine by that address: set PUBLIC_API_URL to one that it can.',
    )
  }
  const incomingWebhookUrl = withCredentials(address, settings)
  if (incomingWebhookUrl === undefined) {
    throw new ProviderProblem(
      'rejected',
      'Set a password for the Sinch webhook first (SINCH_INBOUND_BASIC_PASS): Sinch authenticates with it.',
    )
  }
  const id = encodeURIComponent(await serviceId(project, settings, signal))
  const json = { incomingWebhookUrl, webhookContentType: 'multipart/form-data' }
  await project.ask(`services/${id}`, signal, { method: 'PATCH', json, what: 'the webhook address' })
}
