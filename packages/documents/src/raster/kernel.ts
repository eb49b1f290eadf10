import { readFileSync } from 'node:fs'

/** Memory of a kernel, which grows and never shrinks. */
export interface KernelMemory {
  readonly buffer: ArrayBuffer
  grow: (pages: number) => number
}

const memoryPage = 65_536

/** Starts the WebAssembly at `address`, which imports nothing, and gives what its source says that it exports. */
export function startKernel(address: URL): unknown {
  const wasm = new WebAssembly.Module(readFileSync(address))
  return new WebAssembly.Instance(wasm, {}).exports
}

/** Makes room for so many bytes from the beginning; views of the memory from before are then of no use. */
export function makeRoom(memory: KernelMemory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / memoryPage))
}
