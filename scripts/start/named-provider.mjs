import { providers as builtIn } from '../../packages/providers/src/registry.ts'
import { parseEnvironment } from '../../packages/settings/src/index.ts'

/** Variables that say whether faxes are real, or who sends them. */
const deciding = ['FAX_DISABLED', 'FAX_BACKEND', 'FAX_OUTBOUND_BACKEND']

/** @typedef {import('../../packages/provider-kit/src/index.ts').Provider} Provider */

/** @param {Provider} provider @param {Readonly<Record<string, string | undefined>>} env */
function accountIn({ settings, missing }, env) {
  const { values } = parseEnvironment(settings, env)
  const defaults = Object.fromEntries(settings.map((row) => [row.key, row.default]))
  const given = settings.filter(({ key, group, type }) => key in values && group === 'provider' && type === 'secret')
  return { isComplete: missing({ ...defaults, ...values }) === undefined, isBegun: given.length > 0 }
}

/**
 * What an environment says about who sends faxes. A provider is set up when it says by itself that nothing is missing;
 * credentials of an account that is incomplete show as well that faxes are to be real.
 * @param {Readonly<Record<string, string | undefined>>} env
 * @param {readonly Provider[]} [providers]
 * @returns {{ isReal: boolean, backend?: string }} whether the test line stays off, and the provider to choose where the
 * environment has the account of one, and chooses none
 */
export function providerNamedBy(env, providers = builtIn) {
  if (deciding.some((name) => env[name]?.trim())) return { isReal: true }
  const accounts = providers
    .filter(({ kind }) => kind !== 'builtin')
    .map((provider) => ({ id: provider.id, ...accountIn(provider, env) }))
  const complete = accounts.filter(({ isComplete }) => isComplete)
  const begun = accounts.filter(({ isComplete, isBegun }) => isComplete || isBegun)
  const [only, ...others] = complete.length > 0 ? complete : begun
  if (!only) return { isReal: false }
  return others.length === 0 ? { isReal: true, backend: only.id } : { isReal: true }
}
