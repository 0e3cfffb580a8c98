import { right } from '@quittance/domain/testing/outcomes'
import {
  Address,
  Asset,
  contract,
  type Keypair,
  nativeToScVal,
  Operation,
  rpc,
  scValToNative,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { codeOf, funded, keyNumber, outcomeOf, signed, testPassphrase, usdc } from './fixture.ts'
import { type Served, serve } from './server.ts'

export const customer = keyNumber(21)
export const payee = keyNumber(22)
export const operator = keyNumber(23)
/** The account whose sequence numbers the operator's calls use. */
export const channel = keyNumber(24)

export const usdcContract = usdc.contractId(testPassphrase)
export const xlmContract = Asset.native().contractId(testPassphrase)

/** A node with a customer who has 10,000 USDC, a payee with a trustline, an operator and its channel. */
export const serveMandates = async (served?: Served): Promise<Served> => {
  const node = served ?? (await serve())
  const { sandbox } = node
  await funded(sandbox, customer, payee, operator, channel)
  for (const key of [customer, payee])
    if (outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: usdc })])) !== 'txSuccess')
      throw new Error('no trustline')
  right(await sandbox.fund({ address: customer.publicKey(), assetId: `USDC:${usdc.getIssuer()}` })())
  return node
}

/** The SDK's client of the mandate contract, built from its code on the ledger. */
export const mandateClient = ({ sandbox, url }: Served): Promise<contract.Client> =>
  contract.Client.from({
    contractId: sandbox.mandateContract,
    networkPassphrase: testPassphrase,
    rpcUrl: url,
    allowHttp: true,
    publicKey: customer.publicKey(),
    ...contract.basicNodeSigner(customer, testPassphrase),
  })

/** At most 10 USDC a month from the last close time on, 100 USDC allowed, for about a year of ledgers. */
export const termsOf = ({ sandbox }: Served, more: object = {}) => {
  const { latest } = sandbox.read.range()
  return {
    customer: customer.publicKey(),
    payee: payee.publicKey(),
    operator: operator.publicKey(),
    token: usdcContract,
    cap: 100_000_000n,
    interval_unit: 3,
    interval_count: 1,
    first_charge_at: BigInt(latest.closeTime),
    ends_at: undefined,
    first_amount: 0n,
    allowance: 1_000_000_000n,
    allowance_expiry_ledger: latest.sequence + 100_000,
    reference: Buffer.from('chk_1'),
    replaces: undefined,
    ...more,
  }
}

/** The caller, the transaction's source and its form. */
export type CallOptions = {
  readonly source: Keypair
  readonly operationSource?: Keypair
  readonly fee?: string
  readonly auth?: xdr.SorobanAuthorizationEntry[]
}

/** A call before simulation, bounded to two minutes after the last close time. */
export const unprepared = async (
  { client, sandbox }: Served,
  operation: xdr.Operation,
  { source, fee = '100' }: CallOptions,
) => {
  const account = await client.getAccount(source.publicKey())
  const maxTime = sandbox.read.range().latest.closeTime + 120
  return new TransactionBuilder(account, {
    fee,
    networkPassphrase: testPassphrase,
    timebounds: { minTime: 0, maxTime },
  })
    .addOperation(operation)
    .build()
}

/** A contract call as an operation of its caller. */
export const callOf = (
  contractId: string,
  name: string,
  args: ReadonlyArray<xdr.ScVal>,
  { operationSource, auth = [] }: CallOptions,
): xdr.Operation =>
  Operation.invokeContractFunction({
    contract: contractId,
    function: name,
    args: [...args],
    auth,
    ...(operationSource && { source: operationSource.publicKey() }),
  })

/** A simulated, prepared and signed call; throws when the simulation fails. */
export const prepared = async (
  served: Served,
  operation: xdr.Operation,
  options: CallOptions,
): Promise<Transaction> => {
  const transaction = await served.client.prepareTransaction(await unprepared(served, operation, options))
  transaction.sign(options.source, ...(options.operationSource ? [options.operationSource] : []))
  return transaction
}

/** Sends, closes a ledger and reads the outcome. */
export const sent = async ({ client, sandbox }: Served, transaction: Transaction) => {
  const { status, hash } = await client.sendTransaction(transaction)
  if (status !== 'PENDING') throw new Error(status)
  sandbox.close()
  const found = await client.getTransaction(hash)
  if (found.status === rpc.Api.GetTransactionStatus.NOT_FOUND) throw new Error('in no ledger')
  return found
}

/** Simulates, signs, sends and closes a ledger; answers a successful call's result, or the name of its failure. */
export const called = async (served: Served, operation: xdr.Operation, options: CallOptions): Promise<unknown> => {
  const found = await sent(served, await prepared(served, operation, options))
  if (found.status === rpc.Api.GetTransactionStatus.FAILED) return codeOf(found.resultXdr)
  const value: unknown = found.returnValue === undefined ? undefined : scValToNative(found.returnValue)
  return value
}

/** A call of an asset's token. */
export const tokenCall = (
  contractId: string,
  name: string,
  args: ReadonlyArray<Keypair | string | bigint | number>,
  options: CallOptions,
): xdr.Operation => {
  const values = args.map((each) => {
    if (typeof each === 'bigint') return nativeToScVal(each, { type: 'i128' })
    if (typeof each === 'number') return nativeToScVal(each, { type: 'u32' })
    return new Address(typeof each === 'string' ? each : each.publicKey()).toScVal()
  })
  return callOf(contractId, name, values, options)
}
