/** What says that a file is PDF/A-2u (ISO 19005-2): its metadata, and what its grays mean. */

/** XMP metadata; written again for each file, without a time, so that the same pages give the same file. */
export const archiveMetadata = Buffer.from(
  '<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>' +
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    '<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">' +
    '<pdfaid:part>2</pdfaid:part><pdfaid:conformance>U</pdfaid:conformance>' +
    '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>',
)

const s15Fixed16 = (value: number) => Math.round(value * 65_536)

/** A tag's content, padded to whole words. */
function tag(signature: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.alloc(4), ...parts])
  return Buffer.concat([content, Buffer.alloc(-content.length & 3)])
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => bytes.writeUInt32BE(value >>> 0, 4 * at))
  return bytes
}

/** An ICC profile (ICC.1:2001-04) of grays with a gamma of 2.2 under D50. */
export function grayProfile(): Buffer {
  const name = 'Gray, gamma 2.2\0'
  const d50 = [0.9642, 1, 0.8249].map(s15Fixed16)
  const tags: [string, Buffer][] = [
    ['desc', tag('desc', words(name.length), Buffer.from(name, 'latin1'), Buffer.alloc(78))],
    ['cprt', tag('text', Buffer.from('No copyright\0', 'latin1'))],
    ['wtpt', tag('XYZ ', words(...d50))],
    // One number of eight bits before and eight behind the point.
    ['kTRC', tag('curv', words(1), Buffer.from([0x02, 0x33]))],
  ]
  let offset = 128 + 4 + 12 * tags.length
  const table = tags.map(([signature, content]) => {
    const entry = Buffer.concat([Buffer.from(signature, 'latin1'), words(offset, content.length)])
    offset += content.length
    return entry
  })
  const header = Buffer.alloc(128)
  header.writeUInt32BE(offset, 0)
  header.writeUInt32BE(0x02100000, 8)
  header.write('mntrGRAYXYZ ', 12, 'latin1')
  for (const [at, part] of [2026, 1, 1].entries()) header.writeUInt16BE(part, 24 + 2 * at)
  header.write('acsp', 36, 'latin1')
  words(...d50).copy(header, 68)
  return Buffer.concat([header, words(tags.length), ...table, ...tags.map(([, content]) => content)])
}
