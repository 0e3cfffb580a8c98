import type { LedgerDraft } from '../ledger/draft.ts'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { type CallOptions, type SimulatedTransaction, simulatedCall } from './call.ts'
import { simulatedExtension, simulatedRestoration } from './upkeep.ts'

const failed = (error: string): SimulatedTransaction => ({ error, events: [] })

/** Runs a transaction's single operation on a draft, as if it were signed, to find its resources. */
export const simulate = (signed: SignedTransaction, draft: LedgerDraft, options: CallOptions): SimulatedTransaction => {
  const { operations, ext } = signed.transaction
  const [operation, ...more] = operations
  if (operation === undefined || more.length > 0) return failed('Transaction contains more than one operation')
  const { body } = operation
  if (body.type === 'invokeHostFunction')
    return simulatedCall(signed, operation, body.invokeHostFunctionOp, draft, options)
  if (body.type !== 'extendFootprintTtl' && body.type !== 'restoreFootprint')
    return failed(`Transaction contains unsupported operation type: ${body.type}`)
  if (ext.type !== 'sorobanData')
    return failed(
      'To perform a SimulateTransaction for ExtendFootprintTtl or RestoreFootprint operations, SorobanTransactionData must be provided',
    )
  const { footprint } = ext.sorobanData.resources
  return body.type === 'restoreFootprint'
    ? simulatedRestoration(signed, draft, footprint)
    : simulatedExtension(signed, draft, footprint, body.extendFootprintTtlOp.extendTo)
}
