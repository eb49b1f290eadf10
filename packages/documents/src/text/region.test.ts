import { describe, expect, it } from 'vitest'
import { regionOf, regionOfFamily } from '../fonts/region.ts'

describe('the region of a text', () => {
  it.each([
    ['検査結果をお送りします。', 'JP'],
    ['ﾃｽﾄ', 'JP'],
    ['검사 결과를 보내드립니다. 漢字', 'KR'],
    ['ㄅㄆㄇ', 'TC'],
    ['请查收附件中的检查报告。', 'SC'],
    ['請查收附件，謝謝您們。', 'TC'],
    ['Dr. Doe', undefined],
    ['Ελληνικά, العربية, 12,5 €', undefined],
  ])('is told by its characters: %s', (text, region) => {
    expect(regionOf(text, 'en-US')).toBe(region)
    // Nothing is left open here that a locale would decide.
    if (region) expect(regionOf(text, 'ja-JP')).toBe(region)
  })

  it.each([
    ['ja-JP', 'JP'],
    ['ko', 'KR'],
    ['zh', 'SC'],
    ['zh-SG', 'SC'],
    ['zh-TW', 'TC'],
    ['zh-Hant-HK', 'TC'],
    ['en-US', undefined],
  ])('is that of the machine where only characters stand that all have: %s', (locale, region) => {
    expect(regionOf('東京都千代田区', locale)).toBe(region)
    expect(regionOf('Tokyo', locale)).toBeUndefined()
  })

  it.each([
    ['Noto Sans CJK JP', 'JP'],
    ['Noto Serif CJK SC', 'SC'],
    ['Noto Sans CJK HK', 'TC'],
    ['Source Han Sans K', 'KR'],
    ['Source Han Sans HC', 'TC'],
    ['NotoSansKR', 'KR'],
    ['AR PL UMing TW', 'TC'],
    ['AR PL UMing CN', 'SC'],
    ['Droid Sans Fallback', undefined],
    ['WenQuanYi Zen Hei', undefined],
    ['', undefined],
  ])('of a font is told by the name of its family: %s', (family, region) => {
    expect(regionOfFamily(family)).toBe(region)
  })
})
