import { hex4 } from '../text/font.ts'

/** The characters of a document with the numbers of their codes, from 1 on. */
export class LayerCodes {
  readonly #codes = new Map<string, number>()

  /** The text in the hexadecimal codes of the font; characters beyond 65,535 different ones are left out. */
  encode(text: string): { hex: string; length: number } {
    const codes = Array.from(text, (character) => this.#codeOf(character)).filter((code) => code <= 0xffff)
    return { hex: codes.map(hex4).join(''), length: codes.length }
  }

  /** What each code stands for. */
  get texts(): Map<number, string> {
    return new Map(Array.from(this.#codes, ([character, code]) => [code, character]))
  }

  #codeOf(character: string): number {
    const code = this.#codes.get(character) ?? this.#codes.size + 1
    if (code <= 0xffff) this.#codes.set(character, code)
    return code
  }
}
