const format = new Intl.NumberFormat('en-US')

/** A number as people read it: 9,600. */
export const grouped = (count: number): string => format.format(count)
