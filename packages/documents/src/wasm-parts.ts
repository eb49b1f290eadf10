/** A part of a module of WebAssembly: where its bytes stand, and where the number before them that tells how many. */
export interface WasmPart {
  sizeAt: number
  from: number
  to: number
}

const header = 8
const codeSection = 10

/** The section of code (WebAssembly 3.0, 5.5.13); undefined when there is none. */
export function codeOf(wasm: Uint8Array): WasmPart | undefined {
  for (let at = header; at < wasm.length;) {
    const part = partAt(wasm, at + 1)
    if (wasm[at] === codeSection) return part
    at = part.to
  }
  return undefined
}

/** The body of a function, counted from 0 among those that stand in the section of code; undefined when there are fewer. */
export function bodyOf(wasm: Uint8Array, code: WasmPart, index: number): WasmPart | undefined {
  const { value: count, next } = readUnsigned(wasm, code.from)
  if (index >= count) return undefined
  let body = partAt(wasm, next)
  for (let passed = 0; passed < index; passed++) body = partAt(wasm, body.to)
  return body
}

/** Where the instructions of a body begin: behind its locals, which are pairs of a number and a type. */
export function instructionsOf(body: Uint8Array): number {
  let { value: left, next } = readUnsigned(body, 0)
  for (; left > 0; left--) next = readUnsigned(body, next).next + 1
  return next
}

/** A module with another body for one function. It has millions of bytes: they are copied once. */
export function replaceBody(wasm: Uint8Array, code: WasmPart, old: WasmPart, body: Uint8Array): Uint8Array {
  const size = unsigned(body.length)
  const grown = size.length + body.length - (old.to - old.sizeAt)
  return Buffer.concat([
    wasm.subarray(0, code.sizeAt),
    unsigned(code.to - code.from + grown),
    wasm.subarray(code.from, old.sizeAt),
    size,
    body,
    wasm.subarray(old.to),
  ])
}

function partAt(wasm: Uint8Array, sizeAt: number): WasmPart {
  const { value, next } = readUnsigned(wasm, sizeAt)
  return { sizeAt, from: next, to: next + value }
}

/** Numbers have seven bits a byte, the lowest first (LEB128). */
function readUnsigned(bytes: Uint8Array, at: number): { value: number; next: number } {
  let value = 0
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at++] ?? 0
    value += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) return { value, next: at }
  }
}

function unsigned(value: number): Uint8Array {
  const bytes: number[] = []
  for (; value >= 0x80; value = Math.floor(value / 0x80)) bytes.push((value & 0x7f) | 0x80)
  return Uint8Array.from([...bytes, value])
}
