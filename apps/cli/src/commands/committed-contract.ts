import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const wasm = new URL('../../../../contracts/mandate/quittance_mandate.wasm', import.meta.url)

/** The mandate contract that comes with this version: its bytes, and their SHA-256 in hex. */
export const committedContract = (): { readonly wasm: Uint8Array; readonly wasmHash: string } => {
  const bytes = readFileSync(wasm)
  return { wasm: bytes, wasmHash: createHash('sha256').update(bytes).digest('hex') }
}
