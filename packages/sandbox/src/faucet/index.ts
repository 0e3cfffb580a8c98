import type { xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import { runOperation } from '../ledger/apply-transaction.ts'
import { type ClosingLedger, draftOn, keepIn, type LedgerDraft } from '../ledger/draft.ts'
import type { SignedTransaction } from '../ledger/envelope.ts'
import { hexOf, type Network } from '../network.ts'
import { accountIdOf } from '../operations/operation.ts'
import type { ClosedLedger, Funding, FundingRefused } from '../sandbox-api.ts'
import type { Store } from '../store/index.ts'
import { type Grant, nothingToDo, type Plan, refusedFor } from './grants.ts'
import { distinct, rootTransaction } from './root-transaction.ts'

const maxOperations = 100
const maxCosigners = 19

type PendingGrant = { readonly grant: Grant; readonly answer: (outcome: E.Either<FundingRefused, Funding>) => void }
type Batch = { readonly hash: string | null; readonly granted: ReadonlyArray<PendingGrant> }

/**
 * Pays out the root account's coins. An account has at most one transaction in a ledger, so all pending grants share
 * one. Each grant is tried on a draft first, so that one that would fail does not fail the others.
 */
export interface Faucet {
  readonly request: (grant: Grant) => Promise<E.Either<FundingRefused, Funding>>
  readonly isWaitedFor: () => boolean
  /** The transaction for the closing ledger, if any grant is pending. */
  readonly contribute: (ledger: ClosingLedger) => SignedTransaction | undefined
  /** Answers the granted requests once the ledger is stored. A batch that failed is tried again in the next ledger. */
  readonly settle: (closed: ClosedLedger) => void
}

/** The network's name of an operation's result, such as `paymentNoTrust`. */
const nameOf = (result: xdr.OperationResult): string => (result.type === 'opInner' ? result.tr.value.type : result.type)

const tryOut = ({ operations }: Plan, below: LedgerDraft): E.Either<FundingRefused, LedgerDraft> => {
  const draft = draftOn(below, below.ledger)
  for (const operation of operations) {
    if (operation.sourceAccount === null) return refusedFor('sourceMissing')
    const source = accountIdOf(operation.sourceAccount)
    const outcome = runOperation(operation, source, draft, { account: source, sequence: 0n, index: 0 })
    if (E.isLeft(outcome)) return refusedFor(nameOf(outcome.left))
  }
  return E.right(draft)
}

const merged = (one: Plan, other: Plan): Plan => ({
  operations: [...one.operations, ...other.operations],
  signers: distinct([...one.signers, ...other.signers]),
})

const fits = ({ operations, signers }: Plan): boolean =>
  operations.length <= maxOperations && signers.length <= maxCosigners

/** `upkeep` lists the root account's own grants, which go before all requests. */
export const faucetOf = (network: Network, store: Store, upkeep: ReadonlyArray<Grant>): Faucet => {
  let waiting: ReadonlyArray<PendingGrant> = []
  let batch: Batch = { hash: null, granted: [] }

  const contribute = (ledger: ClosingLedger): SignedTransaction | undefined => {
    const draft = draftOn(store.entries, ledger)
    const granted: PendingGrant[] = []
    let plan = nothingToDo
    for (const due of upkeep.map((each) => each(draft))) {
      const kept = tryOut(due, draft)
      if (E.isLeft(kept)) continue
      keepIn(draft, kept.right)
      plan = merged(plan, due)
    }
    for (const each of waiting) {
      const own = each.grant(draft)
      const joined = merged(plan, own)
      if (!fits(joined)) break
      const tried = tryOut(own, draft)
      if (E.isLeft(tried)) {
        waiting = waiting.filter((other) => other !== each)
        each.answer(tried)
        continue
      }
      keepIn(draft, tried.right)
      granted.push(each)
      plan = joined
    }
    const isNeeded = plan.operations.length > 0
    const signed = isNeeded ? rootTransaction(network, store.entries, ledger, plan.operations, plan.signers) : undefined
    // Anyone who knows the passphrase can sign for the root account, and that transaction came first.
    if (signed !== undefined && store.queue.waitingFor(signed) !== undefined) {
      batch = { hash: null, granted: [] }
      return undefined
    }
    batch = { hash: signed === undefined ? null : hexOf(signed.hash), granted }
    return signed
  }

  return {
    request: (grant) =>
      new Promise((answer) => {
        waiting = [...waiting, { grant, answer }]
      }),
    isWaitedFor: () => waiting.length > 0,
    contribute,
    settle: ({ sequence, hash: ledgerHash }) => {
      const { hash, granted } = batch
      batch = { hash: null, granted: [] }
      if (hash !== null && store.transactions.find(hash)?.succeeded !== true) return
      waiting = waiting.filter((each) => !granted.includes(each))
      for (const { answer } of granted) answer(E.right({ hash: hash ?? ledgerHash, ledger: sequence }))
    },
  }
}
