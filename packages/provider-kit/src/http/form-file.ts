/** Bytes as a file of a form. */
export const formFile = (bytes: Uint8Array, type: string): Blob => new Blob([Uint8Array.from(bytes)], { type })
