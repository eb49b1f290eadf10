/**
 * What a page is made black and white for: `text` has every stroke black and every ground white, `photo` shows all tones
 * by dots, and `auto` decides for each part of the page.
 */
export type Tones = 'auto' | 'text' | 'photo'
