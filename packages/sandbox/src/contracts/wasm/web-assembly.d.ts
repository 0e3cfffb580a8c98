/** The parts of WebAssembly used here; TypeScript otherwise declares them only for browsers. */
declare namespace WebAssembly {
  class RuntimeError extends Error {}
  class Memory {
    readonly buffer: ArrayBuffer
  }
  class Module {
    constructor(bytes: Uint8Array)
    static imports(module: Module): { readonly module: string; readonly name: string; readonly kind: string }[]
  }
  class Instance {
    constructor(module: Module, imports: Record<string, Record<string, (...args: bigint[]) => bigint>>)
    readonly exports: Record<string, unknown>
  }
}
