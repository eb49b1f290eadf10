import type { CoreSettings } from '@faxdeck/settings'
import { Problem } from './answers/problem.ts'

/** Room for the fields and boundaries around an uploaded file: a list of 5,000 recipients with their names is one of them. */
export const multipartFrame = 1024 * 1024 + 64 * 1024

export type UploadSettings = Pick<CoreSettings, 'max_file_size_mb'>

/** The largest upload in bytes. */
export function uploadLimit(settings: UploadSettings): number {
  return settings.max_file_size_mb * 1024 * 1024
}

export function tooLarge(settings: UploadSettings): Problem {
  return new Problem(
    'too_large',
    `The file is larger than ${settings.max_file_size_mb} MB, the limit of MAX_FILE_SIZE_MB.`,
  )
}

/** @throws {Problem} `too_large`, by whichever way the document came */
export function assertFits(document: Uint8Array, settings: UploadSettings): void {
  if (document.length > uploadLimit(settings)) throw tooLarge(settings)
}
