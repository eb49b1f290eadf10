import type { Passkey } from '@faxdeck/contract'
import { type FakeCalls, found, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'

export const passkeyRequest = (world: World) => ({ challenge: world.nextId(43) })

export function addPasskey(world: World, fields: Partial<Passkey> = {}): void {
  const created_at = instantOf(world.now())
  world.factors.passkeys.push({
    id: world.nextId(12),
    name: 'This laptop',
    host: 'localhost',
    created_at,
    last_used_at: null,
    ...fields,
  })
  world.factors.codes ||= 10
}

function confirmCalls(world: World) {
  const mine = world.factors
  return {
    getFactors: () => ({
      totp: mine.totp === null ? null : { created_at: mine.totp, last_used_at: mine.totp },
      passkeys: mine.passkeys,
      recovery_codes_left: mine.codes,
      required: mine.required,
      has_password: true,
      confirmed: mine.confirmed,
    }),
    confirmAccount: ({ body }) => {
      const hasFactor = mine.totp !== null || mine.passkeys.length > 0
      if (hasFactor && !body.code) throw new Refusal('invalid', 'Enter a code of your authenticator app.')
      if (body.password === 'wrong') throw new Refusal('sign_in_refused', 'The current password is wrong.')
      if (hasFactor && body.code === '000000') throw new Refusal('second_step_refused')
      mine.confirmed = true
    },
    acknowledgeReset: () => {
      mine.resetAt = null
    },
    askToConfirm: () => passkeyRequest(world),
    confirmWithPasskey: () => {
      mine.confirmed = true
    },
  } satisfies FakeCalls
}

export function factorCalls(world: World) {
  const mine = world.factors
  const newCodes = () => {
    mine.codes = 10
    return Array.from({ length: 10 }, () => (world.nextId(16).match(/.{4}/g) ?? []).join('-'))
  }
  const added = () => {
    mine.mustEnrol = false
    return { recovery_codes: mine.codes > 0 ? null : newCodes() }
  }
  return {
    ...confirmCalls(world),
    startTotp: () => {
      const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'
      const uri = `otpauth://totp/Faxdeck:jane.doe%40clinic.example?secret=${secret}&issuer=Faxdeck`
      return { token: world.nextId(43), expires_at: instantOf(world.now() + 900_000), secret, uri }
    },
    addTotp: ({ body }) => {
      if (body.code === '000000') throw new Refusal('second_step_refused')
      mine.totp = instantOf(world.now())
      return added()
    },
    removeTotp: () => {
      mine.totp = null
    },
    startPasskey: () => passkeyRequest(world),
    addPasskey: ({ body }) => {
      addPasskey(world, { name: body.name })
      return added()
    },
    renamePasskey: ({ params, body }) => {
      const passkey = mine.passkeys.find(({ id }) => id === params.id)
      found(passkey, 'factor_not_found').name = body.name
    },
    removePasskey: ({ params }) => {
      mine.passkeys = mine.passkeys.filter(({ id }) => id !== params.id)
    },
    renewRecoveryCodes: () => ({ recovery_codes: newCodes() }),
  } satisfies FakeCalls
}
