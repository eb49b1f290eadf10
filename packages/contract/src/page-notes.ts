import type { PageNote } from './shapes.ts'

const lost: ReadonlySet<PageNote['kind']> = new Set(['missing_letters', 'lost_writing', 'blank_page'])

/** Whether a note says that the far end cannot read something. The others are good to know. */
export const losesWriting = ({ kind }: Pick<PageNote, 'kind'>): boolean => lost.has(kind)
