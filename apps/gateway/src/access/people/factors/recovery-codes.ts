import { randomBytes } from 'node:crypto'
import { hashToken } from '../sessions.ts'

const howMany = 10
const codeBytes = 10
/** Crockford's base32: nothing that is taken for another sign when it is read from paper. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

function newCode(): string {
  const bits = Array.from(randomBytes(codeBytes), (byte) => byte.toString(2).padStart(8, '0')).join('')
  const signs = (bits.match(/.{5}/g) ?? []).map((five) => alphabet[Number.parseInt(five, 2)]).join('')
  return (signs.match(/.{4}/g) ?? []).join('-')
}

/** Ten codes of 80 random bits: "7kq2-x9fb-…". */
export const newRecoveryCodes = (): string[] => Array.from({ length: howMany }, newCode)

/** What is kept of a code, however it is typed. */
export function hashRecoveryCode(typed: string): string {
  const plain = typed.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return hashToken(`recovery ${plain}`)
}
