import { type AccountId, type LedgerSequence, OperationIndex, type UnixMs } from '@quittance/domain'
import type { xdr } from '@stellar/stellar-sdk'
import type { Movement, MovementKind } from '../../movement.ts'
import { named } from '../../named.ts'
import { namedChanges, type RawBalanceChange } from './balance-changes.ts'
import { isIncomingKind } from './incoming-payments.ts'
import { namedParts } from './named-parts.ts'
import { namingOf } from './naming.ts'
import type { Part } from './part.ts'
import type { SettledOperation, SettledTransaction } from './settled-transaction.ts'
import type { AssetContracts } from './token-events.ts'

/** The ledger of the movements, and the names that its transactions share. */
export type LedgerContext = {
  readonly sequence: LedgerSequence
  readonly closedAt: UnixMs
  readonly nameOf: (key: xdr.Uint256Bytes) => AccountId
  readonly contracts: AssetContracts
}

/** A part with its place among the gains, or the losses; incoming payments come first. */
const ordered = (parts: ReadonlyArray<Part>): ReadonlyArray<Part & { readonly ordinal: number }> => {
  const gains = parts.filter(({ delta }) => delta > 0n)
  const incoming = gains.filter(({ kind }) => isIncomingKind(kind))
  const places = [
    [...incoming, ...gains.filter(({ kind }) => !isIncomingKind(kind))],
    parts.filter(({ delta }) => delta < 0n),
  ]
  return places.flatMap((group) => group.map((part, ordinal) => ({ ...part, ordinal })))
}

/**
 * Every change of a transaction to watched accounts' balances: its fee, the movements of its operations, and the fee
 * refund. Skips operations that touch no watched account.
 */
export const movementsOf = (
  transaction: SettledTransaction,
  { sequence, closedAt, nameOf, contracts }: LedgerContext,
  isWatched: (account: AccountId) => boolean,
): ReadonlyArray<Movement> => {
  const { transactionHash, innerHash, memo } = transaction
  const inLedger = { transactionHash, innerHash, ledger: sequence, closedAt, memo }
  const isTouched = (changes: ReadonlyArray<RawBalanceChange>): boolean =>
    changes.some(({ key }) => isWatched(nameOf(key)))

  const outside = (kind: MovementKind, changes: ReadonlyArray<RawBalanceChange>): ReadonlyArray<Movement> =>
    namedChanges(changes, nameOf, isWatched)
      .filter(({ delta }) => delta !== 0n)
      .map(({ account, assetId, delta }, ordinal) => ({
        _tag: kind,
        ...inLedger,
        operationIndex: null,
        ordinal,
        source: account,
        account,
        muxedId: null,
        counterparty: null,
        assetId,
        delta,
      }))

  const inside = (operation: SettledOperation, index: number): ReadonlyArray<Movement> => {
    if (!isTouched(operation.balances)) return []
    const changes = namedChanges(operation.balances, nameOf, () => true)
    return ordered(namedParts(namingOf(operation, contracts), changes))
      .filter(({ holder }) => isWatched(holder.account))
      .map(({ kind, holder, counterparty, assetId, delta, ordinal }) => ({
        _tag: kind,
        ...inLedger,
        operationIndex: named(OperationIndex, index),
        ordinal,
        source: operation.source.account,
        account: holder.account,
        muxedId: holder.muxedId,
        counterparty,
        assetId,
        delta,
      }))
  }
  return [
    ...outside('fee', transaction.fee),
    ...outside('other', transaction.before),
    ...transaction.operations.flatMap(inside),
    ...outside('fee_refund', transaction.after),
  ]
}
