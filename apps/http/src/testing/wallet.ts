import {
  Asset,
  BASE_FEE,
  Keypair,
  Memo,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
} from '@stellar/stellar-sdk'
import { eventually } from './eventually.ts'
import type { Facts } from './service.ts'

type Network = Pick<Facts, 'rpc_url' | 'friendbot_url' | 'network_passphrase' | 'hurry'>

/** A payment to build. */
export type Order = {
  readonly destination: string
  readonly assetId: string
  readonly amount: string
  readonly memo: string | null
  readonly networkPassphrase?: string
  readonly lifetimeSeconds?: number
}

const assetOf = (assetId: string): Asset => {
  const [code = '', issuer] = assetId.split(':')
  return assetId === 'native' ? Asset.native() : new Asset(code, issuer)
}

/** An account on the sandbox's network, through the SDK alone. */
export const walletOn = (network: Network, keypair = Keypair.random()) => {
  const ledger = new rpc.Server(network.rpc_url, { allowHttp: true })
  const address = keypair.publicKey()
  const hurry: NonNullable<Facts['hurry']> = network.hurry ?? ((work) => work)

  const build = async (
    operations: ReadonlyArray<ReturnType<typeof Operation.payment>>,
    { memo = null, networkPassphrase = network.network_passphrase, lifetimeSeconds = 300 }: Partial<Order> = {},
  ): Promise<Transaction> => {
    const [account, { closeTime }] = await Promise.all([ledger.getAccount(address), ledger.getLatestLedger()])
    const timebounds = { minTime: 0, maxTime: Number(closeTime) + lifetimeSeconds }
    const builder = new TransactionBuilder(account, { fee: BASE_FEE, networkPassphrase, timebounds })
    for (const operation of operations) builder.addOperation(operation)
    if (memo !== null) builder.addMemo(Memo.text(memo))
    const transaction = builder.build()
    transaction.sign(keypair)
    return transaction
  }

  /** A signed payment that is not sent. */
  const payment = (order: Order): Promise<Transaction> =>
    build(
      [
        Operation.payment({
          destination: order.destination,
          asset: assetOf(order.assetId),
          amount: order.amount,
        }),
      ],
      order,
    )

  /** Sends a transaction, waits for its ledger, and answers its status. */
  const send = async (transaction: Transaction): Promise<{ readonly hash: string; readonly status: string }> => {
    const { hash, status } = await ledger.sendTransaction(transaction)
    if (status !== 'PENDING' && status !== 'DUPLICATE') return { hash, status }
    const included = await hurry(
      eventually(
        () => ledger.getTransaction(hash),
        (found) => found.status !== 'NOT_FOUND',
      ),
    )
    return { hash, status: included.status }
  }

  const friendbot = async (assetId?: string): Promise<void> => {
    const asset = assetId === undefined ? '' : `&asset=${assetId}`
    const response = await hurry(fetch(`${network.friendbot_url}?addr=${address}${asset}`))
    if (!response.ok) throw new Error(await response.text())
  }
  const trust = async (assetId: string): Promise<void> => {
    await send(await build([Operation.changeTrust({ asset: assetOf(assetId) })]))
  }

  return {
    address,
    keypair,
    ledger,
    build,
    payment,
    send,
    trust,
    friendbot,
    pay: async (order: Order) => send(await payment(order)),
    read: (xdr: string, networkPassphrase = network.network_passphrase) =>
      TransactionBuilder.fromXDR(xdr, networkPassphrase),
    /** Signs a transaction of the service. */
    sign: (xdr: string, networkPassphrase = network.network_passphrase): string => {
      const transaction = TransactionBuilder.fromXDR(xdr, networkPassphrase)
      transaction.sign(keypair)
      return transaction.toXDR()
    },
  }
}

export type Wallet = ReturnType<typeof walletOn>

/** A wallet with 10,000 XLM and 10,000 of each of these assets. */
export const fundedWallet = async (
  network: Network,
  assetIds: ReadonlyArray<string> = [],
  keypair = Keypair.random(),
): Promise<Wallet> => {
  const wallet = walletOn(network, keypair)
  await wallet.friendbot()
  for (const assetId of assetIds) {
    await wallet.trust(assetId)
    await wallet.friendbot(assetId)
  }
  return wallet
}
