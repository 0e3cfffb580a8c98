import { passphrase } from '@quittance/billing/testing/network'
import { type AccountId, type AssetId, stroops } from '@quittance/domain'
import { type ContractCall, prepareCall, tokenContractOf } from '@quittance/ledger'
import { Address, nativeToScVal, Operation, xdr } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { SimulatedNetwork } from './network.ts'

/** What a wallet lets the mandate contract take of an asset, by the token itself: past the service and the contract. */
const approveCall = (network: SimulatedNetwork, caller: AccountId, assetId: AssetId, amount: bigint): ContractCall => {
  const invocation = new xdr.InvokeContractArgs({
    contractAddress: new Address(tokenContractOf(assetId, passphrase)).toScAddress(),
    functionName: 'approve',
    args: [
      new Address(caller).toScVal(),
      new Address(network.contract).toScVal(),
      nativeToScVal(amount, { type: 'i128' }),
      nativeToScVal(network.sandbox.clock().ledger + 1_000_000, { type: 'u32' }),
    ],
  })
  return {
    caller,
    operation: (auth, source) =>
      Operation.invokeHostFunction({
        func: xdr.HostFunction.hostFunctionTypeInvokeContract(invocation),
        auth: [...auth],
        ...source,
      }),
    authorised: new xdr.SorobanAuthorizedInvocation({
      function: xdr.SorobanAuthorizedFunction.sorobanAuthorizedFunctionTypeContractFn(invocation),
      subInvocations: [],
    }),
    transactionData: null,
  }
}

/** A contract call that a wallet can send in any later ledger. */
export type PreparedApproval = {
  readonly operations: ReadonlyArray<xdr.Operation>
  readonly sorobanData: xdr.SorobanTransactionData
}

/** Has a node simulate an approval; null where it does not answer or the wallet is gone. */
export const preparedApproval = async (
  network: SimulatedNetwork,
  caller: AccountId,
  assetId: AssetId,
  amount: bigint,
): Promise<PreparedApproval | null> => {
  const { gateway } = network
  const [head, view] = [await gateway.latestLedger()(), await gateway.accountView(caller, [])()]
  if (E.isLeft(head) || E.isLeft(view) || view.right === null) return null
  const order = {
    sourceAccount: caller,
    nextAccountSequence: view.right.accountSequence + 1n,
    ledgerClosedAt: head.right.closedAt,
    lifetimeMs: 300_000,
    notAfter: null,
    fee: stroops(1_000n),
    networkPassphrase: passphrase,
  }
  const prepared = await prepareCall(gateway)(order, approveCall(network, caller, assetId, amount))()
  if (E.isLeft(prepared)) return null
  const envelope = xdr.TransactionEnvelope.fromXdr(prepared.right.envelopeXdr, 'base64')
  if (envelope.type !== 'envelopeTypeTx' || envelope.v1.tx.ext.type !== 'sorobanData') return null
  const { operations, ext } = envelope.v1.tx
  return { operations, sorobanData: ext.sorobanData }
}
