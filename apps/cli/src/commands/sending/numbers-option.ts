/** Full numbers are shown only to those who ask for them: terminals are recorded and looked at. */
export const numbersOption = { type: 'boolean', help: 'Show numbers in full.' } as const
