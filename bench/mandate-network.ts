import { done } from '@quittance/billing/testing/outcomes'
import { openDatabase } from '@quittance/event-store/sqlite'
import { listen, openSandbox } from '@quittance/sandbox'
import { Asset, contract, Keypair, Operation, rpc, type Transaction, TransactionBuilder } from '@stellar/stellar-sdk'

const keyNumber = (number: number): Keypair => Keypair.fromRawEd25519Seed(Buffer.alloc(32, number))

/** A network in memory whose ledgers close on command, with a payee, an operator and the channel that pays its fees. */
export const mandateNetwork = async () => {
  const database = openDatabase(':memory:', { durability: 'full' })
  const sandbox = openSandbox({ database, wallClock: Date.now })
  const { url, close } = await listen(sandbox)
  const client = new rpc.Server(url, { allowHttp: true })
  const [payee, operator, channel] = [keyNumber(101), keyNumber(102), keyNumber(103)]
  for (const key of [payee, operator, channel]) await done(sandbox.provision(key.secret()))
  const { networkPassphrase, mandateContract: contractId } = sandbox
  const { spec } = await contract.Client.from({ contractId, networkPassphrase, rpcUrl: url, allowHttp: true })
  const usdc = sandbox.assets().find(({ code }) => code === 'USDC')
  if (usdc === undefined || usdc.issuer === null) throw new Error('the sandbox has no USDC')
  const token = new Asset(usdc.code, usdc.issuer).contractId(networkPassphrase)

  /** A prepared call, signed by its payer and its caller. */
  const prepared = async (name: string, args: object, payer = channel, caller = operator): Promise<Transaction> => {
    const call = Operation.invokeContractFunction({
      source: caller.publicKey(),
      contract: contractId,
      function: name,
      args: spec.funcArgsToScVals(name, args),
    })
    const builder = new TransactionBuilder(await client.getAccount(payer.publicKey()), {
      fee: '100',
      networkPassphrase,
      timebounds: { minTime: 0, maxTime: 0 },
    })
    const transaction = await client.prepareTransaction(builder.addOperation(call).build())
    transaction.sign(...new Set([payer, caller]))
    return transaction
  }

  /** A transaction's outcome, or null where the network refused it or it failed. */
  const sent = async (transaction: Transaction): Promise<rpc.Api.GetSuccessfulTransactionResponse | null> => {
    const { hash, status } = await client.sendTransaction(transaction)
    if (status !== 'PENDING') return null
    sandbox.close()
    const found = await client.getTransaction(hash)
    return found.status === rpc.Api.GetTransactionStatus.SUCCESS ? found : null
  }

  /** Enrols a new customer: at most 10 USDC a day, allowed for half a year of ledgers. */
  const enrolment = async (number: number): Promise<Transaction> => {
    const customer = keyNumber(number)
    await done(sandbox.provision(customer.secret()))
    await done(sandbox.fund({ address: customer.publicKey(), assetId: usdc.assetId }))
    const { latest } = sandbox.read.range()
    const terms = {
      customer: customer.publicKey(),
      payee: payee.publicKey(),
      operator: operator.publicKey(),
      token,
      cap: 100_000_000n,
      interval_unit: 1,
      interval_count: 1,
      first_charge_at: BigInt(latest.closeTime),
      ends_at: undefined,
      first_amount: 0n,
      allowance: 1_000_000_000n,
      allowance_expiry_ledger: latest.sequence + 3_000_000,
      reference: Buffer.from(`authorisation_${number}`),
      replaces: undefined,
    }
    return prepared('create', terms, customer, customer)
  }

  /** Advances a day and an hour; answers the last ledger's close time. */
  const nextDay = async (): Promise<bigint> => {
    const idle = { nextDue: async () => null, settle: async () => {} }
    await done(sandbox.advance({ seconds: 25 * 60 * 60, ...idle }))
    return BigInt(sandbox.read.range().latest.closeTime)
  }

  return { prepared, sent, enrolment, nextDay, operator, close }
}
