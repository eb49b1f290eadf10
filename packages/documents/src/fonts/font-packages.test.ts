import { describe, expect, it } from 'vitest'
import { fontsToInstall } from './font-packages.ts'

describe('characters that no font has', () => {
  it.each([
    ['ก', 'Thai', 'package fonts-noto-core'],
    ['क', 'Devanagari', 'package fonts-noto-core'],
    ['ক', 'Bengali', 'package fonts-noto-core'],
    ['த', 'Tamil', 'package fonts-noto-core'],
    ['字', 'Chinese, Japanese and Korean', 'package fonts-noto-cjk'],
    ['😀', 'emoji', 'package fonts-symbola'],
    ['กத한', 'Tamil, Thai, and Chinese, Japanese and Korean', 'packages fonts-noto-core and fonts-noto-cjk'],
  ])('have a package that brings them: %s', (text, names, packages) => {
    expect(fontsToInstall(Array.from(text))).toBe(
      `To print ${names}, install the ${packages} (Debian, Ubuntu) where Faxdeck runs.`,
    )
  })

  it.each(['\u{E0FF}', '🇩🇪', '👨\u200d👩\u200d👧'])('have none when no package has them: %s', (text) => {
    expect(fontsToInstall([text])).toBe('')
  })
})
