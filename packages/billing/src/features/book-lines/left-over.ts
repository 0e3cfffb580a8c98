import { OperationIndex } from '@quittance/domain'
import type { Movement } from '@quittance/ledger'
import { decodeOrThrow } from '../../kernel/decode.ts'

/** A transaction's change of one balance that nothing of ours accounts for, `delta` in stroops. */
export type LeftOver = Pick<Movement, 'transactionHash' | 'account' | 'assetId' | 'delta' | 'ledger' | 'closedAt'> & {
  readonly operationIndex: OperationIndex
  readonly from: Movement['account']
  readonly movements: ReadonlyArray<Movement['_tag']>
}

const outsideOfOperations = decodeOrThrow(OperationIndex, 0)

/** Identifies a left-over within its network. */
export const leftOverKey = ({
  transactionHash,
  account,
  assetId,
}: Pick<LeftOver, 'transactionHash' | 'account' | 'assetId'>): string => `${transactionHash}/${account}/${assetId}`

/**
 * Adds up unnamed movements by transaction, account and asset, so that a person sees one withdrawal with its fee and not ten
 * parts of a trade. Leaves out sums of nothing.
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
