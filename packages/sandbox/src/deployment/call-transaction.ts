import { Account, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { requireAccount } from '../ledger/accounts.ts'
import { type ClosingLedger, draftOn, type LedgerView } from '../ledger/draft.ts'
import { readStoredEnvelope, type SignedTransaction } from '../ledger/envelope.ts'
import { baseFee, type Network } from '../network.ts'
import { simulate } from '../simulation/index.ts'
import type { DueCall } from './upkeep.ts'

/** Time bound of the sandbox's own contract transactions, in seconds. */
const maxWaitSeconds = 60

const options = { authMode: '', isAddressBound: false, leeway: 0 }

/** Thrown when the sandbox cannot deploy its own contracts. */
class DeploymentFailed extends Error {}

/** Simulates, prepares and signs one of the sandbox's own contract transactions. */
export const callTransaction = (
  network: Network,
  view: LedgerView,
  ledger: ClosingLedger,
  { source, operation, data }: DueCall,
): SignedTransaction => {
  const { seqNum } = requireAccount(view, source.xdrAccountId())
  const builder = new TransactionBuilder(new Account(source.publicKey(), seqNum.toString()), {
    fee: (ledger.baseFee ?? baseFee).toString(),
    networkPassphrase: network.passphrase,
    timebounds: { minTime: 0, maxTime: Number(ledger.closeTime) + maxWaitSeconds },
  }).addOperation(operation)
  const unprepared = (data === undefined ? builder : builder.setSorobanData(data)).build()
  const unsigned = readStoredEnvelope(unprepared.toEnvelope().toXdr(), network)
  const { events, results, ...found } = simulate(unsigned, draftOn(view, ledger), options)
  if (found.error !== undefined) throw new DeploymentFailed(found.error)
  const simulated = {
    id: '',
    latestLedger: ledger.sequence,
    ...found,
    events: events.map((each) => each.toXdr('base64')),
  }
  const callResults = (results ?? []).map(({ auth, xdr }) => ({ auth: [...auth], xdr }))
  const transaction = rpc
    .assembleTransaction(unprepared, { ...simulated, results: callResults, stateChanges: [] })
    .build()
  transaction.sign(source)
  return readStoredEnvelope(transaction.toEnvelope().toXdr(), network)
}
