import { AssetId, stroops, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { listen, openSandbox } from '@quittance/sandbox'
import { foundedDatabase } from '@quittance/sandbox/testing/founded'
import { Keypair, TransactionBuilder } from '@stellar/stellar-sdk'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway } from '../gateway.ts'
import type { IncomingPayment } from '../incoming-payment.ts'
import { named } from '../named.ts'
import { buildPayment, CUSTOMER_TRANSACTION_LIFETIME_MS, type PaymentOrder } from '../stellar/build-payment.ts'
import { keyPairFromSeed } from '../stellar/keys.ts'
import { rpcGateway } from '../stellar/rpc-gateway.ts'
import { sequence } from './ledgers.ts'

export const sandboxPassphrase = 'A Sandbox For Tests'
const startMs = Date.UTC(2026, 10, 1)

export const payer = keyPairFromSeed(new Uint8Array(32).fill(1))
export const payee = keyPairFromSeed(new Uint8Array(32).fill(2))
export const nobody = keyPairFromSeed(new Uint8Array(32).fill(3))

const done = async <A>(task: TaskEither<unknown, A>): Promise<A> => right(await task())

/**
 * A network in memory behind a real socket, where payer and payee hold XLM and trust USDC; ledgers close on command.
 */
export const startSandbox = async () => {
  let wallMs = startMs
  const sandbox = openSandbox({
    database: foundedDatabase(sandboxPassphrase, startMs),
    wallClock: () => wallMs,
    passphrase: sandboxPassphrase,
  })
  const { url, close: stop } = await listen(sandbox)
  await done(sandbox.provision(payer.secret))
  await done(sandbox.provision(payee.secret))
  const usdc = named(AssetId, sandbox.assets().find(({ code }) => code === 'USDC')?.assetId)
  await done(sandbox.fund({ address: payer.accountId, assetId: usdc }))
  const gateway: LedgerGateway = rpcGateway({ url, networkPassphrase: sandboxPassphrase, timeoutMs: 60_000 })

  /** Ten USDC from payer to payee, built on what the gateway says. */
  const built = async (changed: Partial<PaymentOrder> = {}) => {
    const view = await done(gateway.accountView(payer.accountId, []))
    const { closedAt } = await done(gateway.latestLedger())
    return right(
      buildPayment({
        sourceAccount: payer.accountId,
        accountSequence: view?.accountSequence ?? 0n,
        destination: payee.accountId,
        assetId: usdc,
        amount: stroops(100_000_000n),
        memoText: 'chk_1',
        ledgerClosedAt: closedAt,
        lifetimeMs: CUSTOMER_TRANSACTION_LIFETIME_MS,
        fee: stroops(100n),
        networkPassphrase: sandboxPassphrase,
        ...changed,
      }),
    )
  }
  const signed = (envelopeXdr: string, { secret } = payer): string => {
    const transaction = TransactionBuilder.fromXdr(envelopeXdr, sandboxPassphrase)
    transaction.sign(Keypair.fromSecret(secret))
    return transaction.toXdr()
  }

  /**
   * Submits, closes the ledger it is in, and gives what that ledger brought to payee and to an account nobody funded.
   */
  const credited = async (envelopeXdr: string): Promise<ReadonlyArray<IncomingPayment>> => {
    await done(gateway.submit(envelopeXdr))
    const closed = sandbox.close()
    const { ledgers } = await done(gateway.readLedgers(sequence(closed.sequence), 1, null))
    return [...ledgers].flatMap((ledger) => ledger.incomingPaymentsTo(new Set([payee.accountId, nobody.accountId])))
  }
  const waitMs = (ms: number): void => {
    wallMs += ms
  }
  return { sandbox, url, gateway, usdc, built, signed, credited, waitMs, stop, now: () => unixMs(sandbox.clock().now) }
}

export type StartedSandbox = Awaited<ReturnType<typeof startSandbox>>
