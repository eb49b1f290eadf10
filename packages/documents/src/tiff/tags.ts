/** Tags of TIFF 6.0 and of TIFF class F (RFC 2301) that are read or written here. */
export const tag = {
  newSubfileType: 254,
  imageWidth: 256,
  imageLength: 257,
  bitsPerSample: 258,
  compression: 259,
  photometric: 262,
  fillOrder: 266,
  stripOffsets: 273,
  orientation: 274,
  samplesPerPixel: 277,
  rowsPerStrip: 278,
  stripByteCounts: 279,
  xResolution: 282,
  yResolution: 283,
  planarConfiguration: 284,
  t4Options: 292,
  t6Options: 293,
  resolutionUnit: 296,
  pageNumber: 297,
  software: 305,
  tileOffsets: 324,
} as const

/** Values of the Compression tag for CCITT data. */
export const compression = { rle: 2, t4: 3, t6: 4 } as const

/** Bits of T4Options: rows may be coded two-dimensionally; end-of-line codes end on whole bytes. */
export const t4Option = { twoDimensional: 1, alignedEnds: 4 } as const

/** Values of the PhotometricInterpretation tag for bilevel pages. */
export const photometric = { whiteIsZero: 0, blackIsZero: 1 } as const

/** Field types; the last two are those of BigTIFF. */
export const fieldType = { byte: 1, ascii: 2, short: 3, long: 4, rational: 5, long8: 16, ifd8: 18 } as const
