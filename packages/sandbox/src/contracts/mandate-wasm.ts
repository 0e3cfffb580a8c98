import { readFileSync } from 'node:fs'

/** In this package, so that it is there when the package is installed elsewhere; here it is a link to the contract's. */
const file = new URL('../../quittance_mandate.wasm', import.meta.url)

/** The SHA-256 of the mandate contract's code, in hex; equals `contracts/mandate/quittance_mandate.wasm.sha256`. */
export const mandateWasmHash = '328ac827ec8c021a0770097a6f1a603a2c7041f210bc40a03ec3c2ed8d41da4f'

/** Former versions, which ran before: their mandates go on. Each has its bytes in `contracts/mandate/former`. */
export const formerMandateHashes = ['a8abf63b109ed31ba8f428a939ce300c665d65b4771a9428e36b0e90bfb544e4'] as const

export const mandateWasm = (): Uint8Array => readFileSync(file)
