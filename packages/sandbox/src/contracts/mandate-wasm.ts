import { readFileSync } from 'node:fs'

const file = new URL('../../../../contracts/mandate/quittance_mandate.wasm', import.meta.url)

/** The SHA-256 of the mandate contract's code, in hex; equals `contracts/mandate/quittance_mandate.wasm.sha256`. */
export const mandateWasmHash = 'a8abf63b109ed31ba8f428a939ce300c665d65b4771a9428e36b0e90bfb544e4'

export const mandateWasm = (): Uint8Array => readFileSync(file)
