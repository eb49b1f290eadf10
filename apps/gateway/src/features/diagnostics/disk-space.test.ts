import { describe, expect, it } from 'vitest'
import { judgeRoom } from './system.ts'

const megabyte = 1024 ** 2
const gigabyte = 1024 ** 3
const room = (freeBytes: number, totalBytes: number, freeFiles: number | undefined = 1000) =>
  judgeRoom({ freeBytes, totalBytes, freeFiles }, 10 * megabyte)

describe('the room of a disk', () => {
  it.each([
    ['a large disk', 20 * gigabyte, 500 * gigabyte],
    ['a small volume that is nearly empty', 700 * megabyte, gigabyte],
    ['a large disk at two percent, which is still much', 10 * gigabyte, 500 * gigabyte],
  ])('is enough on %s', (_which, free, total) => {
    expect(room(free, total)).toMatchObject({ passed: true })
  })

  it('is shown in the unit that fits', () => {
    expect(room(700 * megabyte, gigabyte).detail).toBe('700 MB of 1.0 GB free (68 %)')
  })

  it.each([
    ['a large disk', 900 * megabyte, 500 * gigabyte],
    ['a small volume', 110 * megabyte, gigabyte],
  ])('is a warning on %s that is nearly full', (_which, free, total) => {
    const finding = room(free, total)
    expect(finding.passed).toBe(false)
    expect(finding.instead).toBeUndefined()
  })

  it('is critical when the largest fax does not fit', () => {
    expect(room(12 * megabyte, gigabyte).instead).toMatchObject({
      severity: 'critical',
      hint: expect.stringMatching(/^The disk has no room for a fax/) as unknown,
    })
  })

  it.each([
    [0, 1000, /^The disk is full: free some space/],
    [gigabyte, 0, /^The disk has reached its maximum number of files/],
  ])('is critical at %i bytes and %i files', (free, files, sentence) => {
    expect(room(free, 2 * gigabyte, files).instead).toMatchObject({
      severity: 'critical',
      hint: expect.stringMatching(sentence) as unknown,
    })
  })

  it('does not count files where the file system does not', () => {
    expect(judgeRoom({ freeBytes: gigabyte, totalBytes: gigabyte, freeFiles: undefined }, 1).passed).toBe(true)
  })
})
