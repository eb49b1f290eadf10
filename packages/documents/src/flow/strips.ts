import type { Typesetter } from '../text/typeset.ts'
import type { Limits } from '../base/limits.ts'
import { drawingStrip } from './drawings.ts'
import { type Block, paragraph, type Picture, plain } from './flow.ts'
import type { Type } from './lines.ts'
import { paragraphStrips, types } from './paragraph-strips.ts'
import { loadPicture } from './pictures.ts'
import { asRecords, setTable, tableStrips } from './set-table.ts'
import { type Press, type Spot, type Strip, space } from './strip.ts'

const ruleHeight = 0.75
/** Half an inch of a long picture stands on two pages. */
const sharedHeight = 36

async function pictureStrips(block: Picture, width: number, press: Press): Promise<Strip[]> {
  const { typesetter, room } = press
  const found = await loadPicture(block, press, width)
  // Says in words what cannot be drawn.
  if (!found)
    return paragraphStrips(paragraph(plain(`[${block.description.trim() || 'Unreadable picture'}]`)), width, press)
  const { drawn, placed } = found
  const inset = { left: 0, justify: 0, center: 0.5, right: 1 }[block.align ?? 'left'] * (width - placed.width)
  const picture = typesetter.keep(drawn)
  const draw = (from: number) => (spot: Spot) =>
    typesetter.picture(picture, spot.x + inset, spot.top + from - placed.height, placed.width, placed.height)
  if (placed.height <= room) return [{ height: placed.height, draw: draw(0) }, space(block.size ? 0 : types.body.below)]
  // One that would be less than half as large on one page, such as that of a long conversation, stands on several.
  const step = room
  const count = Math.max(1, Math.ceil((placed.height - sharedHeight) / step))
  return Array.from({ length: count }, (_, n) => ({
    height: Math.min(room, placed.height - n * step),
    draw: draw(n * step),
  }))
}

/** What strips are made with; `room` is the height of the text on a page. */
export function createPress(typesetter: Typesetter, limits: Limits): Press {
  const press: Press = {
    typesetter,
    limits,
    room: 0,
    async strips(blocks, width, type) {
      const strips: Strip[] = []
      for (const block of blocks) strips.push(...(await stripsOfBlock(block, width, press, type)))
      return strips
    },
  }
  return press
}

/** The strips of a block, below each other. What divides pages is left to `Layout`. */
async function stripsOfBlock(block: Block, width: number, press: Press, type?: Type): Promise<Strip[]> {
  if (block.kind === 'paragraph') return paragraphStrips(block, width, press, type ? { type } : {})
  if (block.kind === 'picture') return pictureStrips(block, width, press)
  if (block.kind === 'drawing') return [await drawingStrip(block, width, press)]
  if (block.kind === 'rule') {
    const draw = ({ x, top }: Spot) => press.typesetter.bar(x, top - 6, width, ruleHeight)
    return [{ height: 12, draw }]
  }
  if (block.kind !== 'table') return []
  const set = setTable(block, width)
  if (!set) return press.strips(asRecords(block), width)
  return [...(await tableStrips(set, press)), space(types.body.below)]
}
