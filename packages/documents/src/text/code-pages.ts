/** Numbers of Windows' code pages whose encodings have other names than `windows-` and their number. */
const names: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  20127: 'windows-1252',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  38598: 'iso-8859-8-i',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51949: 'euc-kr',
  52936: 'gbk',
  54936: 'gb18030',
  65001: 'utf-8',
}
const firstIso = 28590

/** What decodes text of a code page of Windows; Windows-1252 where it is not known. */
export function decoderOf(page: number): InstanceType<typeof TextDecoder> {
  const iso = page > firstIso && page <= firstIso + 16 ? `iso-8859-${page - firstIso}` : undefined
  try {
    return new TextDecoder(names[page] ?? iso ?? `windows-${page}`)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
