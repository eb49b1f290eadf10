/** A page as programs of others make it: what it draws, and the image that it draws, if any. */
export interface ForeignPage {
  content: string
  image?: string
}

const vocabulary =
  'dose patient insulin result value ward sample blood pressure sodium chloride between measured the of in and for with from second third method figure shown mean error rate change after before under clinical trial group control report page'.split(
    ' ',
  )
/** A number from 0 to 1, each time another. */
export type Random = () => number
export const pickOf =
  (random: Random) =>
  <T>(list: ArrayLike<T>): T =>
    list[Math.floor(random() * list.length)]!
export const wordsOf = (random: Random, count: number) =>
  Array.from({ length: count }, () => pickOf(random)(vocabulary)).join(' ')
export const text = (font: string, size: number, x: number, y: number, shown: string) =>
  `BT /${font} ${size} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td (${shown}) Tj ET`
export const rgb = (...channels: number[]) => `${channels.map((channel) => channel.toFixed(3)).join(' ')} rg`
export const bytesOf = (color: string) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
