import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Client, QuittanceError } from '@quittance/client'
import { decimalFromStroops, stroops } from '@quittance/domain'
import type { Facts } from '@quittance/http/testing/service'
import { fundedWallet, type Wallet } from '@quittance/http/testing/wallet'
import { Asset, Contract, Keypair, nativeToScVal, TransactionBuilder } from '@stellar/stellar-sdk'

/** A person with a wallet, whose key derives from the seed of the year, and with one subscription. */
export type Member = { readonly email: string; readonly wallet: Wallet }

/** Above what a year costs, in stroops. */
const allowance = 10_000_000_000n
/** The longest life of an allowance, in ledgers, less some minutes. */
const allowanceLedgers = 3_110_390

export const memberOf = async (facts: Facts, seed: string, number: number): Promise<Member> => {
  const usdc = usdcOf(facts)
  const key = createHash('sha256').update(`${seed}, member ${number}`).digest()
  const wallet = await fundedWallet(facts, [usdc], Keypair.fromRawEd25519Seed(key))
  return { email: `member${number}@club.example`, wallet }
}

const mostTries = 5

/** Repeats a request of a payer while the service is busy: the client repeats none of these by itself. */
const repeated = async <A>(request: () => Promise<A>, tries = 1): Promise<A> => {
  try {
    return await request()
  } catch (cause) {
    const isBusy = cause instanceof QuittanceError && cause.failure._tag === 'Refused' && cause.failure.status === 503
    if (!isBusy || tries === mostTries) throw cause
    await pause(100 * tries)
    return repeated(request, tries + 1)
  }
}

/** Opens a checkout and signs its mandate; the checkout's id. */
export const join = async (client: Client, { email, wallet }: Member, product_id: string): Promise<string> => {
  const { id } = await client.checkouts.createForProduct({ product_id, customer_email: email })
  const { transaction_xdr } = await repeated(() => client.payer.transaction(id, { source_account: wallet.address }))
  await client.payer.submit(id, wallet.sign(transaction_xdr))
  return id
}

/** Extends the allowance of a mandate, as wallets do when it runs out. */
export const renewAllowance = async ({ wallet }: Member, contract: string, mandateId: string): Promise<void> => {
  const { ledger, address, keypair } = wallet
  const [account, { sequence, closeTime }, { passphrase: networkPassphrase }] = await Promise.all([
    ledger.getAccount(address),
    ledger.getLatestLedger(),
    ledger.getNetwork(),
  ])
  const call = new Contract(contract).call(
    'renew_allowance',
    nativeToScVal(Buffer.from(mandateId, 'hex')),
    nativeToScVal(allowance, { type: 'i128' }),
    nativeToScVal(sequence + allowanceLedgers, { type: 'u32' }),
  )
  const timebounds = { minTime: 0, maxTime: Number(closeTime) + 300 }
  const built = new TransactionBuilder(account, { fee: '1000', networkPassphrase, timebounds })
    .addOperation(call)
    .build()
  const prepared = await ledger.prepareTransaction(built)
  prepared.sign(keypair)
  const { status } = await ledger.sendTransaction(prepared)
  if (status !== 'PENDING') throw new Error(`a renewed allowance was answered ${status}`)
}

type Quoted = Awaited<ReturnType<Client['payer']['quote']>>

const usdcOf = ({ assets }: Facts): string => assets.find(({ code }) => code === 'USDC')?.asset_id ?? ''

/** Gives all USDC back to its issuer. */
export const emptyWallet = async (facts: Facts, { wallet }: Member): Promise<void> => {
  const assetId = usdcOf(facts)
  const [code = '', issuer = ''] = assetId.split(':')
  const held = (await wallet.ledger.getTrustline(wallet.address, new Asset(code, issuer))).balance
  const amount = decimalFromStroops(stroops(BigInt(held.toString())))
  if (amount !== '0') await wallet.pay({ destination: issuer, assetId, amount, memo: null })
}

export const refillWallet = (facts: Facts, { wallet }: Member): Promise<void> => wallet.friendbot(usdcOf(facts))

/** A signed payment of what a quote asks for, and a way to send it without waiting for its ledger. */
export const invoicePayment = async (
  { wallet }: Member,
  { destination, asset_id, amount_due, memo }: Quoted,
): Promise<() => Promise<void>> => {
  const signed = await wallet.payment({ destination, assetId: asset_id, amount: amount_due, memo })
  return async () => {
    const { status } = await wallet.ledger.sendTransaction(signed)
    if (status !== 'PENDING') throw new Error(`the payment of an invoice was answered ${status}`)
  }
}
