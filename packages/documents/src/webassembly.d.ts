/** The part of the WebAssembly interface used here; the compiler only knows it as part of a browser's types. */
declare namespace WebAssembly {
  type Imports = Record<string, Record<string, unknown>>
  type Exports = Record<string, unknown>
  interface Module {
    readonly [Symbol.toStringTag]?: string
  }
  const Module: new (bytes: Uint8Array) => Module
  class Memory {
    grow: (pages: number) => number
    readonly buffer: ArrayBuffer
  }
  interface Table {
    set(index: number, value: unknown): void
  }
  class Instance {
    constructor(module: Module, imports: Imports)
    readonly exports: Exports
  }
  class RuntimeError extends Error {}
  function compile(bytes: Uint8Array): Promise<Module>
}
