import { OperationIndex } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import { decodeOrThrow } from '../../kernel/decode.ts'

/** What a transaction did to one balance of an account, of all that nothing of ours accounts for: `delta` stroops. */
export type LeftOver = Pick<Movement, 'transactionHash' | 'account' | 'assetId' | 'delta' | 'ledger' | 'closedAt'> & {
  readonly operationIndex: OperationIndex
  readonly from: Movement['account']
  readonly movements: ReadonlyArray<Movement['_tag']>
}

const outsideOfOperations = decodeOrThrow(OperationIndex, 0)

/** What one left-over is told apart by from all others of a network. */
export const leftOverKey = ({
  transactionHash,
  account,
  assetId,
}: Pick<LeftOver, 'transactionHash' | 'account' | 'assetId'>): string => `${transactionHash}/${account}/${assetId}`

/**
 * Adds up movements without a name by transaction, account and asset, so that a person meets one withdrawal with its fee
 * and not ten parts of a trade. What adds up to nothing has changed nothing, and is left out.
 */
export const leftOvers = (unnamed: ReadonlyArray<Movement>): ReadonlyArray<LeftOver> =>
  [...Map.groupBy(unnamed, leftOverKey).values()].flatMap((parts) => {
    const [first] = parts
    const delta = parts.reduce((sum, part) => sum + part.delta, 0n)
    if (first === undefined || delta === 0n) return []
    const { transactionHash, account, assetId, ledger, closedAt } = first
    const sender = parts.find((part) => part.counterparty?._tag === 'account')?.counterparty
    return [
      {
        transactionHash,
        account,
        assetId,
        delta,
        ledger,
        closedAt,
        operationIndex: parts.find((part) => part.operationIndex !== null)?.operationIndex ?? outsideOfOperations,
        from: delta > 0n && sender?._tag === 'account' ? sender.account : account,
        movements: [...new Set(parts.map(({ _tag }) => _tag))].sort(),
      },
    ]
  })
