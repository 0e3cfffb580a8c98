import { IntentId, stroops } from '@quittance/domain'
import {
  type ContractCall,
  creationCall,
  creationDue,
  livesOf,
  PAYOUT_LIFETIME_MS,
  prepareCall,
  readCallLimits,
  readContract,
  upkeepCall,
} from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { ownContract } from '../features/contract-rent/keep-contracts.ts'
import type { Outgoing } from '../features/outgoing/outgoing.ts'
import { giveUp } from '../features/outgoing/waiting.ts'
import { decodeOrThrow } from '../kernel/decode.ts'
import type { ProcessFailure } from '../services/process-failure.ts'
import type { Batch } from './batches.ts'
import type { DraftTransaction, TransactionSource } from './draft.ts'

/** The most that one step may cost besides its bid: 50 XLM. Sixty days of the code cost about 3. */
const mostRent = stroops(500_000_000n)

/**
 * Drafts the operation that pays the rent of a contract, or makes it, by what the contract needs now. Gives the intent up if it needs
 * nothing any more, as when somebody else has paid. Null then, and if the rent is too dear or cannot be simulated.
 */
export const draftUpkeep = async (
  outgoing: Outgoing,
  batch: Batch,
  source: TransactionSource,
): Promise<E.Either<ProcessFailure, DraftTransaction | null>> => {
  const { services, network, ingested, raise } = outgoing
  const { gateway } = network
  const [intent] = batch.intents
  const action = intent?.row.details.action
  if (intent === undefined || action?._tag !== 'keep_contract') throw new Error('an upkeep without a contract')
  const { contractId, work } = action
  const refuse = (cause: string): E.Either<never, null> => {
    raise({ _tag: 'CannotKeepContract', contractId, cause })
    return E.right(null)
  }

  const limits = await readCallLimits(gateway)()
  if (E.isLeft(limits)) return limits
  const view = await readContract(gateway)(contractId)()
  if (E.isLeft(view)) return view
  let call: ContractCall | null = null
  if (work === 'upload' || work === 'create') {
    const own = await ownContract(services, network, batch.environment)
    if (own?.contract !== contractId || own.operator !== batch.source)
      return refuse('another version, or another operator account, makes it')
    const due = await creationDue(gateway, own.code.sha256)
    if (E.isLeft(due)) return due
    if (view.right === null && due.right === work) call = creationCall(batch.source, own.code, work)
  } else {
    if (view.right === null) return refuse('it is not on the ledger')
    call = upkeepCall(batch.source, livesOf(contractId, view.right), work, limits.right.maxEntryTtl)
  }
  if (call === null)
    return E.map(() => null)(await giveUp(outgoing, batch.environment, [{ intent, reason: 'withdrawn' }]))
  const order = {
    sourceAccount: source.signer.account,
    nextAccountSequence: source.sequence,
    ledgerClosedAt: ingested.closedAt,
    lifetimeMs: PAYOUT_LIFETIME_MS,
    notAfter: null,
    fee: source.bid,
    networkPassphrase: gateway.networkPassphrase,
  }
  const prepared = await prepareCall(gateway)(order, call)()
  if (E.isLeft(prepared)) return refuse('cause' in prepared.left ? prepared.left.cause : prepared.left._tag)
  const { envelopeXdr, transactionHash, maxTime, resourceFee } = prepared.right
  if (resourceFee > mostRent) return refuse(`${work} costs ${resourceFee} stroops, more than ${mostRent}`)
  if (source.spendable < source.bid + resourceFee) {
    raise({ _tag: 'FeeSourceCannotPay', account: source.signer.account })
    return E.right(null)
  }
  const intents = [decodeOrThrow(IntentId, intent.id)]
  return E.right({ envelopeXdr, transactionHash, maxTime, resourceFee, intents, postponed: [] })
}
