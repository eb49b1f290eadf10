import { missingOf, type Provider, type Traits } from '@faxdeck/provider-kit'
import { checksOf } from './checks.ts'
import { openLine } from './line.ts'
import type { Manifest } from './manifest.ts'
import { neededOf, settingsOf } from './settings.ts'

const deaf: Traits = {
  webhook_path: null,
  sample_payload: null,
  signature_header: null,
  inbound_verification: 'none',
  recommended: false,
  supports_inbound: false,
  supports_oauth: false,
  supports_cancel: false,
  supports_status: false,
  requires_ami: false,
  requires_pages: false,
}

/** A manifest as a provider like any other. It has no webhooks: the status of a fax is asked for. */
export function providerOf(manifest: Manifest): Provider {
  const { id, name, actions } = manifest
  const rows = settingsOf(manifest)
  const needed = neededOf(rows)
  return {
    id,
    name,
    kind: 'plugin',
    traits: {
      ...deaf,
      supports_status: actions.get_status !== undefined,
      supports_cancel: actions.cancel_fax !== undefined,
    },
    settings: rows,
    missing: missingOf(name, rows, needed),
    account: (settings) => {
      const origins = Object.values(actions).map(({ address }) => address.origin)
      return JSON.stringify([manifest.auth, origins, rows.map(({ key }) => settings[key] ?? null)])
    },
    open: (host, settings) => openLine(manifest, host, settings),
    webhooks: [],
    checks: checksOf(manifest, rows, needed),
    concurrency: 5,
  }
}

/** Stands for a manifest that can be used no longer, so that nobody else takes its faxes. */
export function unusableProvider(id: string, reason: string): Provider {
  return {
    id,
    name: id,
    kind: 'plugin',
    traits: deaf,
    settings: [],
    missing: () => `The manifest of ${id} cannot be used: ${reason}`,
    webhooks: [],
    checks: [],
    concurrency: 1,
  }
}
