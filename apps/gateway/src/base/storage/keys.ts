import { randomUUID } from 'node:crypto'
import { basename } from 'node:path'

/** Where documents lie: those of faxes, received ones, and those that come before their fax. */
export const folders = ['faxes', 'inbound', 'uploads'] as const
export type Folder = (typeof folders)[number]

/**
 * A key that no document has had before, so that what belongs to nothing once never will again. It names what the
 * document came with, and the database that knows of it (`markOf`).
 */
export function newKey(folder: Folder, id: string, mark: string, ending: string): string {
  return `${folder}/${id.slice(0, 2)}/${id}-${mark}-${randomUUID().slice(0, 8)}.${ending}`
}

/** The id of the job, received fax or upload that a document came with. */
export const ownerOf = (key: string): string => basename(key).slice(0, 32)

/** A key as `newKey` makes it, or the passing name of a file that was being written under it. */
const ours = /^[a-z]+\/[0-9a-f]{2}\/[0-9a-f]{32}-([0-9a-f]{8})-[0-9a-f]{8}\.[a-z]+(?:\.[0-9a-f]{12}\.tmp)?$/

/** The mark in a key; undefined for what other programs and earlier versions have stored. */
export const markIn = (key: string): string | undefined => ours.exec(key)?.[1]
