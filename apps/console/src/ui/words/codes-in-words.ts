import type { PageCode } from '@faxdeck/contract'

/** "PAT-4711 (QR code), 4006381333931 (EAN13)" */
export function codesInWords(codes: readonly PageCode[]): string {
  return codes.map(({ format, text }) => `${text} (${format === 'QRCode' ? 'QR code' : format})`).join(', ')
}
