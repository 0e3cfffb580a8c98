import { type ExceptionId, ExceptionId as ExceptionIdCodec } from '@quittance/domain'
import type { Scope } from '@quittance/projections'
import { decodeOrThrow } from '../../kernel/decode.ts'
import { everyRow } from '../../services/every-row.ts'
import type { Services } from '../../services/services.ts'
import type { OutgoingMoney } from './check-destination.ts'

/** A payment of ours, of which a restored log does not know what it was for, may be this one: a person decides first. */
export type PerhapsPaid = { readonly _tag: 'PerhapsPaid'; readonly exceptionId: ExceptionId }

/** The open exception about a payment to the same destination, in the same asset and of the same amount; null without one. */
export const perhapsPaid = (
  { readModels: { exceptions } }: Pick<Services, 'readModels'>,
  scope: Scope,
  { destination, assetId, amount }: OutgoingMoney,
): PerhapsPaid | null => {
  const unexplained = { listedUnder: 'unexplained', status: 'open' }
  for (const { id, row } of everyRow((page) => exceptions.page({ ...page, ...unexplained }), scope)) {
    const { paidTo = [] } = row.details
    const isThis = paidTo.some((paid) => paid.destination === destination && paid.amount === amount)
    if (isThis && row.details.assetId === assetId)
      return { _tag: 'PerhapsPaid', exceptionId: decodeOrThrow(ExceptionIdCodec, id) }
  }
  return null
}
