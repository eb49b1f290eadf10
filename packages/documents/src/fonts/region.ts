/** Whose forms of Chinese characters a text is set in: Japan, Korea, or Chinese in simplified or traditional writing. */
export type Region = 'JP' | 'KR' | 'SC' | 'TC'

const kana = /[\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f]/u
const hangul = /[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]/u
const bopomofo = /[\u3105-\u312f\u31a0-\u31bf]/u
const han = /\p{sc=Han}/u
/** Frequent characters that only one of the two ways to write Chinese has, and Japanese has not. */
const simplified =
  /[们这说时对过还让请电话传员东车长问间书见关应发开样现经头买卖实业张诊检验为门给报结单疗药华务负责谢]/gu
const traditional = /[們這說國會來對學發關應點氣實價醫號樣體變沒臺灣轉傳總檢驗處斷藥單據]/gu

/**
 * The region of a text: by kana, hangul and bopomofo, which only one has, and when there are only Chinese characters by
 * those that only simplified or traditional writing has. What is left open, the locale of this machine decides.
 * Undefined when nothing tells.
 */
export function regionOf(text: string, locale = localeHere()): Region | undefined {
  if (kana.test(text)) return 'JP'
  if (hangul.test(text)) return 'KR'
  if (bopomofo.test(text)) return 'TC'
  if (!han.test(text)) return undefined
  const difference = (text.match(simplified)?.length ?? 0) - (text.match(traditional)?.length ?? 0)
  if (difference !== 0) return difference > 0 ? 'SC' : 'TC'
  return regionOfLocale(locale)
}

/** The region that a font is made for, by the end of its family's name: "Noto Sans CJK SC". */
export function regionOfFamily(family: string): Region | undefined {
  return endings.find(([ending]) => ending.test(family))?.[1]
}

const endings: readonly (readonly [RegExp, Region])[] = [
  [/JP$/i, 'JP'],
  [/(KR|[ -]K)$/i, 'KR'],
  [/(SC|CN)$/i, 'SC'],
  [/(TC|TW|HC|HK)$/i, 'TC'],
]

function regionOfLocale(locale: string): Region | undefined {
  const { language, script } = new Intl.Locale(locale).maximize()
  if (language === 'ja') return 'JP'
  if (language === 'ko') return 'KR'
  if (language !== 'zh') return undefined
  return script === 'Hant' ? 'TC' : 'SC'
}

/** What `LC_ALL`, `LC_CTYPE` or `LANG` says, as a language tag: "zh-TW". */
const localeHere = () => new Intl.DateTimeFormat().resolvedOptions().locale
