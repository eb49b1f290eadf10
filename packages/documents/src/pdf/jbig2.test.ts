import { describe, expect, it } from 'vitest'
import { drawBitmap } from '../testing/jbig2-regions.ts'
import { jbig2Samples } from '../testing/jbig2-samples.ts'
import { pdfOf, streamOf } from '../testing/pdf-samples.ts'
import { sameBitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { faxWidth } from '../raster/paper.ts'
import { PdfDocument } from './document.ts'
import { startPdfium } from './engine.ts'

describe('JBIG2 images in a PDF', () => {
  it.for(jbig2Samples())('are drawn pixel for pixel: $name', async ({ data, bitmap: { width, height }, bitmap }) => {
    const image = `/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode`
    const content = `q ${width} 0 0 ${height} 0 0 cm /X Do Q`
    const file = pdfOf([{ width, height, content }], [streamOf(data.toString('latin1'), image)])
    const document = new PdfDocument(await startPdfium(), file, defaultLimits)
    const place = { left: 0, top: 0, width, height, turned: false }
    const drawn = document.render(0, place, height, ({ pixels }) =>
      drawBitmap(width, height, (x, y) => pixels[y * faxWidth + x]! < 128),
    )
    document.close()
    expect(sameBitmap(drawn, bitmap)).toBe(true)
  })
})
