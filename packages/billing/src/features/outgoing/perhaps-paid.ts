import { type AssetId, type ExceptionId, ExceptionId as ExceptionIdCodec } from '@quittance/domain'
import type { ExceptionRow, Found, Scope } from '@quittance/projections'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import type { OutgoingMoney } from './check-destination.ts'

/** A payment of ours, of which a restored log does not know what it was for, may be this one: a person decides first. */
export type PerhapsPaid = { readonly _tag: 'PerhapsPaid'; readonly exceptionId: ExceptionId }

/** The open exception about a payment to the same destination, in the same asset and of the same amount; null without one. */
export const perhapsPaid = async (
  services: Pick<Services, 'readModels'>,
  scope: Scope,
  money: OutgoingMoney,
): Promise<PerhapsPaid | null> => among(await forgottenOf(services, scope), money)

/**
 * As `perhapsPaid`, for the operator's fees: whatever was paid in the asset may have been a collection, to a fee account that
 * was another one then.
 */
export const perhapsCollected = async (
  services: Pick<Services, 'readModels'>,
  scope: Scope,
  assetId: AssetId,
): Promise<PerhapsPaid | null> =>
  firstOf((await forgottenOf(services, scope)).filter(({ row }) => row.details.assetId === assetId))

/** As `perhapsPaid`, for many payments: reads the exceptions of each merchant once. */
export const perhapsPaidIn = (services: Pick<Services, 'readModels'>) => {
  const known = new Map<string, ReadonlyArray<Found<ExceptionRow>>>()
  return async ({ merchantId, environment }: Scope, money: OutgoingMoney): Promise<PerhapsPaid | null> => {
    const forgotten = known.get(merchantId) ?? (await forgottenOf(services, { merchantId, environment }))
    known.set(merchantId, forgotten)
    return among(forgotten, money)
  }
}

const forgottenOf = async ({ readModels: { exceptions } }: Pick<Services, 'readModels'>, scope: Scope) => {
  const unexplained = { listedUnder: 'unexplained', status: 'open' }
  const open = everyRow((page) => exceptions.page({ ...page, ...unexplained }), scope)
  return (await Array.fromAsync(open)).filter(({ row }) => row.details.paidTo !== undefined)
}

const among = (
  forgotten: ReadonlyArray<Found<ExceptionRow>>,
  { destination, assetId, amount }: OutgoingMoney,
): PerhapsPaid | null =>
  firstOf(
    forgotten.filter(
      ({ row: { details } }) =>
        details.assetId === assetId &&
        details.paidTo?.some((paid) => paid.destination === destination && paid.amount === amount),
    ),
  )

const firstOf = ([found]: ReadonlyArray<Found<ExceptionRow>>): PerhapsPaid | null =>
  found === undefined ? null : { _tag: 'PerhapsPaid', exceptionId: decodeOrThrow(ExceptionIdCodec, found.id) }
