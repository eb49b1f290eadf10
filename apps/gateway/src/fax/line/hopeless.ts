import { DocumentProblem } from '@faxdeck/documents'
import { Problem } from '../../base/http/answers/problem.ts'
import { StorageProblem } from '../../base/storage/storage.ts'
import { type FoundNote, UnreadablePages } from '../../paper/pages/page-notes.ts'

/** The provider of a fax is not there any more. */
export class ProviderRemoved extends Error {}

interface Hopeless {
  kind: 'bad_document' | 'bad_credentials'
  sentence: string
  notes?: readonly FoundNote[]
  /** No fax can be handed over just now: this one waits with the others until the settings are mended. */
  ofEveryFax?: true
}

/** Why a fax that was accepted cannot be handed over after all; undefined for faults on the way to the provider. */
export function hopeless(error: unknown): Hopeless | undefined {
  if (error instanceof DocumentProblem) return { kind: 'bad_document', sentence: error.sentence }
  if (error instanceof UnreadablePages) return { kind: 'bad_document', sentence: error.message, notes: error.notes }
  if (error instanceof ProviderRemoved) return { kind: 'bad_credentials', sentence: error.message }
  if (error instanceof StorageProblem && error.code === 'missing') {
    return { kind: 'bad_document', sentence: 'The stored document is missing, so the fax could not be sent.' }
  }
  if (error instanceof StorageProblem && error.code === 'damaged')
    return { kind: 'bad_document', sentence: error.message }
  if (!(error instanceof Problem)) return undefined
  if (error.code === 'document_not_found') return { kind: 'bad_document', sentence: error.message }
  if (error.code !== 'provider_not_configured') return undefined
  return { kind: 'bad_credentials', sentence: error.message, ofEveryFax: true }
}
