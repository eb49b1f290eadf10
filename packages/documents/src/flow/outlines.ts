/** A point in shares of a shape's width and height, from its top left corner. */
export type Point = readonly [number, number]

/** Corners: `x,y` in such shares. */
const polygons = {
  rectangle: '0,0 1,0 1,1 0,1',
  diamond: '.5,0 1,.5 .5,1 0,.5',
  triangle: '.5,0 1,1 0,1',
  parallelogram: '.2,0 1,0 .8,1 0,1',
  trapezoid: '.2,0 .8,0 1,1 0,1',
  hexagon: '.2,0 .8,0 1,.5 .8,1 .2,1 0,.5',
  pentagon: '0,0 .75,0 1,.5 .75,1 0,1',
  chevron: '0,0 .75,0 1,.5 .75,1 0,1 .25,.5',
  'right arrow': '0,.25 .7,.25 .7,0 1,.5 .7,1 .7,.75 0,.75',
  'left arrow': '1,.25 .3,.25 .3,0 0,.5 .3,1 .3,.75 1,.75',
  'down arrow': '.25,0 .25,.7 0,.7 .5,1 1,.7 .75,.7 .75,0',
  'up arrow': '.25,1 .25,.3 0,.3 .5,0 1,.3 .75,.3 .75,1',
  'left and right arrow': '0,.5 .2,0 .2,.25 .8,.25 .8,0 1,.5 .8,1 .8,.75 .2,.75 .2,1',
  line: '0,0 1,1',
  'elbow line': '0,0 .5,0 .5,1 1,1',
}

/** The shapes that are drawn; a list of points is one of its own. */
export type Outline = keyof typeof polygons | 'rounded' | 'ellipse' | { points: readonly Point[]; isOpen?: boolean }

/** The corners of an outline; undefined for one of curves. */
export function cornersOf(outline: Outline): readonly Point[] | undefined {
  if (typeof outline === 'object') return outline.points
  if (outline === 'rounded' || outline === 'ellipse') return undefined
  return polygons[outline].split(' ').map((corner): Point => {
    const [x = 0, y = 0] = corner.split(',').map(Number)
    return [x, y]
  })
}

/** Whether an outline encloses nothing. */
export const isOpen = (outline: Outline): boolean =>
  typeof outline === 'object' ? outline.isOpen === true : outline.endsWith('line')

/** Outlines by the numbers that Word gives shapes (MS-ODRAW, 2.4.24; ECMA-376-4, 19.1). */
export const numberedOutlines: Readonly<Record<string, Outline>> = {
  ...{ 1: 'rectangle', 2: 'rounded', 3: 'ellipse', 4: 'diamond', 5: 'triangle', 7: 'parallelogram', 8: 'trapezoid' },
  ...{ 9: 'hexagon', 13: 'right arrow', 15: 'pentagon', 20: 'line', 32: 'line', 33: 'elbow line', 34: 'elbow line' },
  ...{ 55: 'chevron', 66: 'left arrow', 67: 'down arrow', 68: 'up arrow', 69: 'left and right arrow' },
  ...{ 109: 'rectangle', 110: 'diamond', 111: 'parallelogram', 116: 'rounded', 117: 'hexagon', 176: 'rounded' },
  202: 'rectangle',
}
