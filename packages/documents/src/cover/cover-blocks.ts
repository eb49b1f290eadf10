import { isRightToLeft } from '../text/direction.ts'
import { type Typesetter, widthOf, wrapText } from '../text/typeset.ts'

/** A part of a page, from one side of the type area to the other. */
export interface Block {
  /** Points, the space below it included. */
  height: number
  /** `x` is the left edge of the type area, `top` the upper edge of the block. */
  draw(typesetter: Typesetter, x: number, top: number): void
}

interface Type {
  size: number
  /** From one line to the next. */
  leading: number
  bold?: boolean
}

/** Sizes are read at 98 rows an inch, too. */
export const type = {
  title: { size: 26, leading: 34, bold: true },
  value: { size: 12.5, leading: 18 },
  note: { size: 12, leading: 17 },
  label: { size: 10, leading: 14 },
  heading: { size: 10, leading: 15, bold: true },
} satisfies Record<string, Type>

const labelWidth = 64
const gutter = 18
const padding = 9
const thick = 1.5
const thin = 0.75

/** Paragraphs, wrapped; those in right-to-left scripts stand at the right. */
export function words(text: string, width: number, { size, leading, bold = false }: Type): Block {
  const lines = text.split(/\r\n|[\n\r\f\u2028\u2029]/).flatMap((paragraph) => {
    const rightToLeft = isRightToLeft(paragraph)
    return wrapText(paragraph, size, width).map((line) => ({ line, rightToLeft }))
  })
  return {
    height: lines.length * leading,
    draw(typesetter, x, top) {
      lines.forEach(({ line, rightToLeft }, index) => {
        const inset = rightToLeft ? width - widthOf(line, size) : 0
        typesetter.write(line, { x: x + inset, y: top - index * leading - size, size, bold, rightToLeft })
      })
    },
  }
}

export function space(height: number): Block {
  return { height, draw: () => undefined }
}

/** A line across, with space around it. */
export function rule(width: number, { isThick = false } = {}): Block {
  const height = isThick ? thick : thin
  return { height: 16, draw: (typesetter, x, top) => typesetter.bar(x, top - 4 - height, width, height) }
}

/** A label, and beside it what it is about. */
export function fact(label: string, value: string, width: number): Block {
  const said = words(value, width - labelWidth, type.value)
  return {
    height: said.height + 4,
    draw(typesetter, x, top) {
      typesetter.write(label, { x, y: top - type.value.size, size: type.label.size })
      said.draw(typesetter, x + labelWidth, top)
    },
  }
}

/** Facts beside each other with their labels above them, and a line below. */
export function columns(facts: readonly (readonly [label: string, value: string])[], width: number): Block {
  const across = (width - gutter * (facts.length - 1)) / facts.length
  const cells = facts.map(([label, value]) =>
    stack([words(label, across, type.label), words(value, across, type.value)]),
  )
  const height = Math.max(...cells.map((cell) => cell.height)) + padding
  return {
    height,
    draw(typesetter, x, top) {
      cells.forEach((cell, index) => cell.draw(typesetter, x + index * (across + gutter), top - 4))
      typesetter.bar(x, top - height + thin, width, thin)
    },
  }
}

/** A frame around blocks that were made for the width that is left: `boxedWidth`. */
export function boxed(blocks: readonly Block[], width: number): Block {
  const inner = stack(blocks)
  const height = inner.height + 2 * padding
  return {
    height,
    draw(typesetter, x, top) {
      typesetter.box(x, top - height, width, height)
      inner.draw(typesetter, x + padding, top - padding)
    },
  }
}

export const boxedWidth = (width: number): number => width - 2 * padding

/** One word in a frame, large and in the middle. */
export function banner(text: string, width: number): Block {
  const { size, leading } = type.title
  const spaced = Array.from(text).join('\u2009')
  const inset = (width - widthOf(spaced, size)) / 2
  const height = leading + padding
  return {
    height: height + 14,
    draw(typesetter, x, top) {
      typesetter.box(x, top - height, width, height)
      typesetter.write(spaced, { x: x + inset, y: top - size - padding / 2, size, bold: true })
    },
  }
}

/** Blocks below each other. */
export function stack(blocks: readonly Block[]): Block {
  return {
    height: blocks.reduce((sum, { height }) => sum + height, 0),
    draw(typesetter, x, top) {
      let y = top
      for (const block of blocks) {
        block.draw(typesetter, x, y)
        y -= block.height
      }
    },
  }
}
