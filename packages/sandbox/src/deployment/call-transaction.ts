import { Account, rpc, TransactionBuilder } from '@stellar/stellar-sdk'
import { requireAccount } from '../ledger/accounts.ts'
import { type ClosingLedger, draftOn, type LedgerView } from '../ledger/draft.ts'
import { readStoredEnvelope, type SignedTransaction } from '../ledger/envelope.ts'
import { baseFee, type Network } from '../network.ts'
import { simulate } from '../simulation/index.ts'
import type { DueCall } from './upkeep.ts'

/** How long a contract transaction of the sandbox's own may wait for its ledger, in seconds. */
const patience = 60

const options = { authMode: '', isAddressBound: false, leeway: 0 }

/** Thrown when the sandbox's own contracts cannot be put on its ledger. */
class Undeployable extends Error {}

/** A contract transaction of the sandbox's own: simulated on a ledger, declared, paid for and signed. */
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
    timebounds: { minTime: 0, maxTime: Number(ledger.closeTime) + patience },
  }).addOperation(operation)
  const unprepared = (data === undefined ? builder : builder.setSorobanData(data)).build()
  const unsigned = readStoredEnvelope(unprepared.toEnvelope().toXdr(), network)
  const { events, results, ...found } = simulate(unsigned, draftOn(view, ledger), options)
  if (found.error !== undefined) throw new Undeployable(found.error)
  const simulated = {
    id: '',
    latestLedger: ledger.sequence,
    ...found,
    events: events.map((each) => each.toXdr('base64')),
  }
  const answers = (results ?? []).map(({ auth, xdr }) => ({ auth: [...auth], xdr }))
  const transaction = rpc.assembleTransaction(unprepared, { ...simulated, results: answers, stateChanges: [] }).build()
  transaction.sign(source)
  return readStoredEnvelope(transaction.toEnvelope().toXdr(), network)
}
