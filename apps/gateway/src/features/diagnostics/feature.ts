import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { AskOurselves } from '../../base/outgoing/ask-ourselves.ts'
import { measureWithLimit } from '../../base/measure.ts'
import type { MissingDocuments } from '../../base/storage/missing.ts'
import { watchIntegrity } from './watch-documents.ts'
import type { Group } from '../../base/checks.ts'
import { runDiagnostics } from './run.ts'
import type { EncryptionState } from './storage.ts'
import { validateHandler } from './validate.ts'
import type { Finding } from '@faxdeck/contract'
import type { ProviderAccess } from '../../base/providers/access.ts'

interface Refusal {
  forget: (providerId: string) => void
}

const accountChecks = ['auth', 'account_answers']

/** Credentials that a provider accepts now are no longer those that it refused. */
function noteAccepted(
  providers: Pick<ProviderAccess, 'outbound'>,
  refusal: Refusal,
  findings: readonly Finding[],
): void {
  const { id } = providers.outbound()
  if (findings.some(({ group, check, passed }) => group === id && accountChecks.includes(check) && passed)) {
    refusal.forget(id)
  }
}

interface DiagnosticsOptions {
  askOurselves: AskOurselves
  refusal: Refusal
  /** The groups of features that look at themselves. */
  reported: readonly Group[]
  missing: MissingDocuments
  encryption: () => Promise<EncryptionState>
}

/** Looks at everything the gateway depends on, and tries settings before they are saved. */
export function createDiagnostics(context: GatewayContext, options: DiagnosticsOptions) {
  const { askOurselves, refusal, missing, encryption, reported } = options
  const { database, storage, providers, now } = context
  const integrity = watchIntegrity({ database, storage, missing })
  const onFindings = (findings: Parameters<typeof noteAccepted>[2]) => noteAccepted(providers, refusal, findings)
  const run = () => runDiagnostics(context, { askOurselves, integrity, encryption, reported, onFindings })
  return {
    name: 'diagnostics',
    routes: {
      // Callers that ask while a run is under way get what that run finds.
      runDiagnostics: measureWithLimit(0, () => now().getTime(), run),
      ...validateHandler(context),
    },
    // Documents and audit trail are checked a piece at a time.
    tidy: integrity.walk,
  } satisfies Feature
}
