declare module 'subset-font' {
  /** A font with the characters of a text alone, and between the given values of its axes. */
  function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: 'woff2'; variationAxes: Record<string, { min: number; max: number }> },
  ): Promise<Uint8Array>
  export = subsetFont
}
