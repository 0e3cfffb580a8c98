import type { ContractId, LedgerSequence } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EntriesAt, LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import { sha256 } from '../transaction-hash.ts'
import type { ContractCreation } from './deployment-calls.ts'
import { codeKey, instanceKey } from './entry-keys.ts'

type Reader = Pick<LedgerGateway, 'entries'>

/** Code on the ledger: the SHA-256 of its bytes, in hex, and the last ledger in which it lives. */
export type CodeView = { readonly sha256: string; readonly liveUntil: number }

/**
 * A contract as of ledger `asOf`. Its instance names `wasmHash` (hex), null for one that is no WebAssembly; `code` is
 * null where that is not on the ledger. An entry that lives until an earlier ledger than `asOf` is archived.
 */
export type ContractView = {
  readonly wasmHash: string | null
  readonly liveUntil: number
  readonly code: CodeView | null
  readonly asOf: LedgerSequence
}

const codeIn = ({ entries }: EntriesAt, wasmHash: string): CodeView | null => {
  const entry = entries.get(codeKey(Buffer.from(wasmHash, 'hex')))
  if (entry === undefined) return null
  const data = xdr.LedgerEntryData.fromXdr(entry.xdr, 'base64')
  if (data.type !== 'contractCode') return null
  return { sha256: sha256(data.contractCode.code).toString('hex'), liveUntil: entry.liveUntil ?? 0 }
}

const wasmHashIn = (entryXdr: string): string | null => {
  const data = xdr.LedgerEntryData.fromXdr(entryXdr, 'base64')
  if (data.type !== 'contractData' || data.contractData.val.type !== 'scvContractInstance') return null
  const { executable } = data.contractData.val.instance
  return executable.type === 'contractExecutableWasm' ? executable.wasmHash.toString() : null
}

/** Code on the ledger by its hash (hex); null where it is not there. */
export const readCode = async (
  { entries }: Reader,
  wasmHash: string,
): Promise<E.Either<LedgerUnreachable, CodeView | null>> => {
  const found = await entries([codeKey(Buffer.from(wasmHash, 'hex'))])()
  return E.isLeft(found) ? found : E.right(codeIn(found.right, wasmHash))
}

/** What a contract of this code needs first on a ledger that never held it. */
export const creationDue = async (
  reader: Reader,
  wasmHash: string,
): Promise<E.Either<LedgerUnreachable, ContractCreation>> => {
  const code = await readCode(reader, wasmHash)
  return E.map((found: CodeView | null): ContractCreation => (found === null ? 'upload' : 'create'))(code)
}

/** A contract and its code; null where there is no such contract. */
export const readContract =
  ({ entries }: Reader) =>
  (contract: ContractId): TaskEither<LedgerUnreachable, ContractView | null> =>
  async () => {
    const found = await entries([instanceKey(contract)])()
    if (E.isLeft(found)) return found
    const instance = found.right.entries.get(instanceKey(contract))
    if (instance === undefined) return E.right(null)
    const wasmHash = wasmHashIn(instance.xdr)
    const code = wasmHash === null ? E.right(null) : await readCode({ entries }, wasmHash)
    if (E.isLeft(code)) return code
    return E.right({ wasmHash, liveUntil: instance.liveUntil ?? 0, code: code.right, asOf: found.right.asOf })
  }
