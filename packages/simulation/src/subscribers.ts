import type { Billing } from '@quittance/billing'
import { passphrase } from '@quittance/billing/testing/network'
import { guest, options } from '@quittance/billing/testing/shop'
import type { Wallet } from '@quittance/billing/testing/wallets'
import { count, LedgerSequence, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type ContractCall, cancelCall, prepareCall, renewCall } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import type { Move } from './move.ts'
import type { People } from './people.ts'
import type { Request, Requests } from './requests.ts'
import type { Stage } from './stage.ts'

const plenty = stroops(1_000_000_000n)

/** Subscribers who run out of money and get it back, and who end mandates from their wallet. */
export const subscriberMoves = (stage: Stage, people: People, { put }: Requests): ReadonlyArray<Move> => {
  const { random, fixture, network, note, visit, submitDirectly } = stage
  const { sandbox, gateway, usdc } = network
  const { wallets, anyOf, walletOf } = people
  const joining: Array<Request> = []

  /**
   * Opens a session, for a known customer or one who identifies only there; with the product's trial, another, or none.
   */
  const join = (): void => {
    const [number, plan] = [joining.length, random.oneOf(fixture.plans)]
    const trialDays = random.oneOf([null, null, count(0), count(1)])
    const customer = random.onceIn(3) ? guest : { ...guest, email: emailOf(number) }
    const request = put(
      'a membership',
      ({ checkouts }, context) => checkouts.createForProduct(context, plan, { ...options(customer), trialDays }),
      ({ id }) => id,
    )
    joining.push(request)
  }
  const emailOf = (number: number): string => `joins-${number}@club.example`
  /**
   * Requests a transaction from a server and signs it, then has the server submit it, or submits it from the wallet.
   */
  const enrol = (): void => {
    const known = joining.flatMap(({ answers }, number) => answers.slice(0, 1).map((id) => ({ id, number })))
    if (known.length === 0) {
      join()
      return
    }
    const [{ id, number }, wallet] = [random.oneOf(known), random.oneOf(wallets)]
    const details = { email: emailOf(number), name: null, phone: null }
    const signed = async ({ payer }: Billing) => {
      await payer.attachCustomer(id, details)()
      const offered = await payer.transaction(id, wallet.account)()
      return E.isLeft(offered) ? offered : E.right(wallet.sign(offered.right.transaction_xdr))
    }
    if (random.onceIn(2)) visit(`an offer for ${id}`, (billing) => () => signed(billing), submitDirectly)
    else
      visit(`enrolling for ${id}`, (billing) => async () => {
        const envelope = await signed(billing)
        return E.isLeft(envelope) ? envelope : billing.payer.submit(id, envelope.right)()
      })
  }
  /** A contract call that the wallet submits itself. */
  const call = async (wallet: Wallet, called: ContractCall): Promise<void> => {
    const [head, view] = [await gateway.latestLedger()(), await gateway.accountView(wallet.account, [])()]
    if (E.isLeft(head) || E.isLeft(view) || view.right === null) return
    const order = {
      sourceAccount: wallet.account,
      nextAccountSequence: view.right.accountSequence + 1n,
      ledgerClosedAt: head.right.closedAt,
      lifetimeMs: 300_000,
      notAfter: null,
      fee: stroops(1_000n),
      networkPassphrase: passphrase,
    }
    const prepared = await prepareCall(gateway)(order, called)()
    if (E.isLeft(prepared)) note(`the wallet receives ${prepared.left._tag}`)
    else submitDirectly(wallet.sign(prepared.right.envelopeXdr))
  }
  const revoke = async (): Promise<void> => {
    const { state } = await anyOf()
    const { contract, customer, mandateId } = state.authorization.mandate
    await call(walletOf(state), cancelCall(contract, customer, mandateId))
  }
  const renew = async (): Promise<void> => {
    const { state } = await anyOf()
    const { contract, customer, mandateId: mandate, approval } = state.authorization.mandate
    const allowanceExpiryLedger = decoded(LedgerSequence, approval.allowanceExpiryLedger + random.below(1_000))
    const renewal = { contract, customer, assetId: usdc.assetId, mandate, allowance: plenty, allowanceExpiryLedger }
    await call(walletOf(state), renewCall(renewal, passphrase))
  }
  /** Sends a wallet's whole balance of the charged asset to another wallet. */
  const spend = async (): Promise<void> => {
    const wallet = random.oneOf(wallets)
    const view = await gateway.accountView(wallet.account, [usdc.assetId])()
    const amount = E.isRight(view) ? (view.right?.trustlines[0]?.spendable ?? 0n) : 0n
    const to = wallets[(wallets.indexOf(wallet) + 1) % wallets.length]
    if (amount === 0n || to === undefined) return
    submitDirectly(
      wallet.signedPayment({ to: to.account, asset: usdc.assetId, parts: [stroops(amount)], memo: null }, 0),
    )
  }
  const earn = async (): Promise<void> => {
    await sandbox.fund({ address: random.oneOf(wallets).account, assetId: usdc.assetId })()
  }
  const expireAllowance = (): void => {
    const { account } = random.oneOf(wallets)
    sandbox.faults.set({ expired_allowance: { account, asset_id: usdc.assetId, for_ledgers: 2 } })
  }
  return [
    { name: 'a membership', weight: 3, act: join },
    { name: 'an enrolment', weight: 8, act: enrol },
    { name: 'a mandate is ended', weight: 1, act: revoke },
    { name: 'an allowance is renewed', weight: 4, act: renew },
    { name: 'an allowance expires', weight: 1, act: expireAllowance },
    { name: 'a wallet is emptied', weight: 2, act: spend },
    { name: 'a wallet is filled', weight: 8, act: earn },
  ]
}
