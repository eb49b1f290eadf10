/** The part of libheif's WebAssembly build that is used here. */
declare module 'libheif-js/libheif-wasm/libheif.js' {
  /** Values of an enumeration of C++, each an object of its own. */
  type Value = object
  /** Objects of C++, which are seen from outside as what they are handed on as. */
  type Opaque = object
  interface Failure {
    code: Value
  }
  type Decoded = { channels: Plane[] } | Failure
  interface Plane {
    width: number
    height: number
    /** Bytes from one row to the next. */
    stride: number
    data: Uint8Array
  }
  interface Libheif {
    heif_error_code: { heif_error_Ok: Value }
    heif_colorspace: { heif_colorspace_RGB: Value }
    heif_chroma: { heif_chroma_interleaved_RGB: Value; heif_chroma_interleaved_RGBA: Value }
    heif_context_alloc(): Opaque
    heif_context_read_from_memory(context: Opaque, bytes: Uint8Array): { code: Value }
    heif_context_get_number_of_top_level_images(context: Opaque): number
    heif_js_context_get_primary_image_handle(context: Opaque): Opaque | Failure
    heif_image_handle_get_width(handle: Opaque): number
    heif_image_handle_get_height(handle: Opaque): number
    heif_image_handle_has_alpha_channel(handle: Opaque): number
    /** At once, or later where the platform decodes. */
    heif_js_decode_image2(handle: Opaque, space: Value, chroma: Value): Decoded | Promise<Decoded>
  }
  interface Options {
    print: (text: string) => void
    printErr: (text: string) => void
    instantiateWasm: (
      imports: WebAssembly.Imports,
      receive: (instance: WebAssembly.Instance) => void,
    ) => WebAssembly.Exports
  }
  /** Starts the library at once when `instantiateWasm` does. */
  function makeLibheif(options: Options): Libheif
  export = makeLibheif
}
