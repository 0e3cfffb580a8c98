import type { AccountId } from '@quittance/domain'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway, LedgerUnreachable } from '../gateway.ts'
import type { Memo } from '../incoming-payment.ts'
import type { Address } from './addresses.ts'

/** The account belongs to many, and tells them apart by memos: money without one could be lost to whom it is for. */
export type MemoRequired = { readonly _tag: 'MemoRequired'; readonly account: AccountId }

/**
 * Asks the ledger, before anything is paid out to an address, whether a memo is missing. Nothing is asked where there is
 * one, nor for a muxed address, whose id does a memo's work. An account that does not exist wants none.
 * Source: SEP-29; over RPC nobody looks for us.
 */
export const checkMemo =
  (gateway: Pick<LedgerGateway, 'accountView'>) =>
  ({ account, muxedId }: Address, memo: Memo): TE.TaskEither<LedgerUnreachable | MemoRequired, void> =>
    muxedId !== null || memo._tag !== 'none'
      ? TE.right(undefined)
      : pipe(
          gateway.accountView(account, []),
          TE.chainW(
            (view): TE.TaskEither<MemoRequired, void> =>
              view?.requiresMemo ? TE.left({ _tag: 'MemoRequired', account }) : TE.right(undefined),
          ),
        )
