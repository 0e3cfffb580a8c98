import {
  AssetId,
  type Memo,
  type PayoutInterval,
  type Stroops,
  stroops,
  stroopsFromDecimal,
  type Weekday,
} from '@quittance/domain'
import * as E from 'fp-ts/lib/Either.js'
import type { AssetNotAccepted } from '../../services/settlements.ts'
import { type MemoMalformed, readMemo } from './memo.ts'
import type { NewSchedule } from './schedules.ts'

type AmountUnreadable =
  | { readonly _tag: 'MalformedNumber'; readonly field: 'amount' }
  | { readonly _tag: 'TooLarge'; readonly field: 'amount' }
type AmountFailure = AmountUnreadable | { readonly _tag: 'NotPositive'; readonly field: 'amount' }

/** A `threshold` schedule says from how much on it pays. */
export type ThresholdMissing = { readonly _tag: 'ThresholdMissing' }

export type ReadFailure = AmountFailure | AssetNotAccepted | MemoMalformed | ThresholdMissing

/** A payout as a caller writes it. */
type WrittenPayout = {
  readonly assetId: string
  readonly amount: string
  readonly memo: string | null
  readonly memoType: 'text' | 'id' | null
}

type ReadPayout = { readonly assetId: AssetId; readonly amount: Stroops | 'all'; readonly memo: Memo | null }

/** A schedule as a caller writes it. */
type WrittenSchedule = {
  readonly asset_id: string
  readonly interval: 'daily' | 'weekly' | 'threshold'
  readonly weekly_anchor: Weekday | null
  readonly threshold: string | null
  readonly reserve: string | null
  readonly destination: string
}

const amountIn = (text: string): E.Either<AmountUnreadable, Stroops> => {
  const read = stroopsFromDecimal(text)
  if (E.isRight(read)) return read
  return E.left({ _tag: read.left._tag === 'AmountOutOfRange' ? 'TooLarge' : 'MalformedNumber', field: 'amount' })
}

/** An asset whose issuer is no account is no asset. */
const assetIn = (text: string): E.Either<AssetNotAccepted, AssetId> =>
  AssetId.is(text) ? E.right(text) : E.left({ _tag: 'AssetNotAccepted', assetId: text, meant: null })

export const readPayout = ({ assetId, amount, memo, memoType }: WrittenPayout): E.Either<ReadFailure, ReadPayout> => {
  const [asset, said] = [assetIn(assetId), readMemo(memo, memoType)]
  if (E.isLeft(asset)) return asset
  if (E.isLeft(said)) return said
  const read = amount === 'all' ? E.right('all' as const) : amountIn(amount)
  if (E.isLeft(read)) return read
  if (read.right === 0n) return E.left({ _tag: 'NotPositive', field: 'amount' })
  return E.right({ assetId: asset.right, amount: read.right, memo: said.right })
}

export const readSchedule = (written: WrittenSchedule): E.Either<ReadFailure, NewSchedule> => {
  const asset = assetIn(written.asset_id)
  if (E.isLeft(asset)) return asset
  const interval = intervalIn(written)
  if (E.isLeft(interval)) return interval
  const reserve = written.reserve === null ? E.right(stroops(0n)) : amountIn(written.reserve)
  if (E.isLeft(reserve)) return reserve
  const { destination } = written
  return E.right({ assetId: asset.right, interval: interval.right, reserve: reserve.right, destination })
}

const intervalIn = ({
  interval: type,
  weekly_anchor,
  threshold,
}: WrittenSchedule): E.Either<AmountUnreadable | ThresholdMissing, PayoutInterval> => {
  switch (type) {
    case 'daily':
      return E.right({ type })
    case 'weekly':
      return E.right({ type, weekday: weekly_anchor ?? 'monday' })
    case 'threshold': {
      const read = amountIn(threshold ?? '0')
      if (E.isLeft(read)) return read
      return read.right === 0n ? E.left({ _tag: 'ThresholdMissing' }) : E.right({ type, threshold: read.right })
    }
  }
}
