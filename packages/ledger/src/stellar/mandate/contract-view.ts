import type { ContractId, LedgerSequence } from '@quittance/domain'
import { xdr } from '@stellar/stellar-sdk'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { EntriesAt, LedgerGateway, LedgerUnreachable } from '../../gateway.ts'
import { sha256 } from '../transaction-hash.ts'
import { codeKey, instanceKey } from './entry-keys.ts'

type Reader = Pick<LedgerGateway, 'entries'>

/** Code on the ledger: the SHA-256 of its very bytes, in hex, and the last ledger in which it lives. */
export type CodeView = { readonly sha256: string; readonly liveUntil: number }

/**
 * A contract as of ledger `asOf`. `wasmHash` (hex) is what its instance names, null for one that is no WebAssembly; `code`
 * is null where that is not on the ledger. What lives until an earlier ledger than `asOf` is archived.
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

/** Code by its hash (hex), as the ledger has it; null where it has none. */
export const readCode =
  ({ entries }: Reader) =>
  (wasmHash: string): TE.TaskEither<LedgerUnreachable, CodeView | null> =>
    pipe(
      entries([codeKey(Buffer.from(wasmHash, 'hex'))]),
      TE.map((found) => codeIn(found, wasmHash)),
    )

/** A contract and its code; null where there is no such contract. */
export const readContract =
  ({ entries }: Reader) =>
  (contract: ContractId): TE.TaskEither<LedgerUnreachable, ContractView | null> =>
    pipe(
      entries([instanceKey(contract)]),
      TE.chain((found) => {
        const instance = found.entries.get(instanceKey(contract))
        if (instance === undefined) return TE.right(null)
        const wasmHash = wasmHashIn(instance.xdr)
        const view = { wasmHash, liveUntil: instance.liveUntil ?? 0, asOf: found.asOf }
        return wasmHash === null
          ? TE.right({ ...view, code: null })
          : pipe(
              readCode({ entries })(wasmHash),
              TE.map((code) => ({ ...view, code })),
            )
      }),
    )
