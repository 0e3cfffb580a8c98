import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ContractCode } from '@quittance/ledger'

const file = new URL('../../../contracts/mandate/quittance_mandate.wasm', import.meta.url)

/** The mandate contract that comes with this version. */
export const committedContract = (): ContractCode => {
  const wasm = readFileSync(file)
  return { wasm, sha256: createHash('sha256').update(wasm).digest('hex') }
}
