import { LedgerSequence, type SubscriptionRecord, stroops } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { type ContractCall, cancelCall, prepareCall, renewCall } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { passphrase } from '../../billing/src/testing/network.ts'
import { options } from '../../billing/src/testing/shop.ts'
import { type Wallet, walletsOn } from '../../billing/src/testing/wallets.ts'
import type { Move } from './customers.ts'
import { walletNumbers } from './fixture.ts'
import type { Request, Requests } from './requests.ts'
import type { Stage } from './stage.ts'

const plenty = stroops(1_000_000_000n)

/** People who subscribe, run out of money and get it back, and end what they have begun; and a merchant who has their calls. */
export const membersOn = (stage: Stage, { put, send, requests }: Requests): ReadonlyArray<Move> => {
  const { draws, fixture, network, scheduler, note, untroubled } = stage
  const { sandbox, gateway, usdc } = network
  const onNetwork = walletsOn(network)
  const wallets = walletNumbers.map(onNetwork.again)
  const joining: Array<Request> = []

  const hand = (envelope: string): void => {
    const submitted = sandbox.submit(envelope)
    note(`the network says ${submitted._tag === 'Right' ? submitted.right.status : 'malformed'}`)
  }
  const anyOf = (): { readonly id: string; readonly state: SubscriptionRecord } => {
    const { id, row } = draws.oneOf(untroubled.readModels.subscriptions.all())
    return { id, state: row.state }
  }
  const join = (): void => {
    const plan = draws.oneOf(fixture.plans)
    const wanted = options({ id: null, email: `joins-${joining.length}@club.example`, phone: null })
    const request = put('a membership', ({ checkouts }, context) =>
      pipe(
        checkouts.createForProduct(context, plan, wanted),
        TE.map(({ id }) => id),
      ),
    )
    joining.push(request)
  }
  /** Asks a server for what is to be signed, signs it, and has it sent. */
  const enrol = (): void => {
    const ids = joining.flatMap(({ answers }) => answers.slice(0, 1))
    if (ids.length === 0) {
      join()
      return
    }
    const [id, wallet] = [draws.oneOf(ids), draws.oneOf(wallets)]
    const { process, billing } = stage.anyServer()
    const work = pipe(
      billing.payer.transaction(id, wallet.account),
      TE.chainW(({ transaction_xdr }) => billing.payer.submit(id, wallet.sign(transaction_xdr))),
    )
    scheduler.start(process, `enrolling for ${id}`, work, () => undefined)
  }
  /** A call that somebody makes from the wallet, past the service. */
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
    if (E.isLeft(prepared)) note(`the wallet is told ${prepared.left._tag}`)
    else hand(wallet.sign(prepared.right.envelopeXdr))
  }
  const mandateOfAny = () => {
    const { mandate } = anyOf().state.authorization
    const wallet = wallets.find(({ account }) => account === mandate.customer)
    if (wallet === undefined) throw new Error('a mandate of nobody')
    return { mandate, wallet }
  }
  const revoke = async (): Promise<void> => {
    const { mandate, wallet } = mandateOfAny()
    await call(wallet, cancelCall(mandate.contract, wallet.account, mandate.mandateId))
  }
  const renew = async (): Promise<void> => {
    const { mandate, wallet } = mandateOfAny()
    const { contract, customer, mandateId, approval } = mandate
    const allowanceExpiryLedger = decoded(LedgerSequence, approval.allowanceExpiryLedger + draws.below(1_000))
    const renewal = { contract, customer, assetId: usdc.assetId, mandate: mandateId, allowance: plenty }
    await call(wallet, renewCall({ ...renewal, allowanceExpiryLedger }, passphrase))
  }
  /** All that a wallet has of what is charged goes to the other; or the friendbot gives it something again. */
  const spend = async (): Promise<void> => {
    const wallet = draws.oneOf(wallets)
    const view = await gateway.accountView(wallet.account, [usdc.assetId])()
    const amount = E.isRight(view) ? (view.right?.trustlines[0]?.spendable ?? 0n) : 0n
    const to = wallets.find((each) => each !== wallet)
    if (amount === 0n || to === undefined) return
    hand(wallet.signedPayment({ to: to.account, asset: usdc.assetId, parts: [stroops(amount)], memo: null }, 0))
  }
  const earn = async (): Promise<void> => {
    await sandbox.fund({ address: draws.oneOf(wallets).account, assetId: usdc.assetId })()
  }
  const lapse = (): void => {
    const { account } = draws.oneOf(wallets)
    sandbox.faults.set({ expired_allowance: { account, asset_id: usdc.assetId, for_ledgers: 2 } })
  }
  /** The merchant, or the customer through the portal, has something done with a subscription. */
  const ask = (wanted: 'pause' | 'resume' | 'retry' | 'now' | 'period_end' | 'undo'): void => {
    const { id } = anyOf()
    put(`${wanted} of ${id}`, ({ subscriptions }, context) => {
      const asked = {
        pause: () => subscriptions.pause(context, id),
        resume: () => subscriptions.resume(context, id),
        retry: () => subscriptions.retry(context, id),
        now: () => subscriptions.cancel(context, id, 'now'),
        period_end: () => subscriptions.cancel(context, id, 'period_end'),
        undo: () =>
          subscriptions.update(context, id, { cancelAtPeriodEnd: false, metadata: undefined, productId: null }),
      }
      return TE.map(() => 'done')(asked[wanted]())
    })
  }
  return [
    { name: 'a membership', weight: 1, act: join },
    { name: 'an enrolment', weight: 3, act: enrol },
    { name: 'a mandate is ended', weight: 1, act: revoke },
    { name: 'an allowance is renewed', weight: 2, act: renew },
    { name: 'an allowance lapses', weight: 1, act: lapse },
    { name: 'a wallet is emptied', weight: 3, act: spend },
    { name: 'a wallet is filled', weight: 3, act: earn },
    { name: 'a pause', weight: 2, act: () => ask('pause') },
    { name: 'a resumption', weight: 3, act: () => ask('resume') },
    { name: 'a retry', weight: 1, act: () => ask('retry') },
    { name: 'a cancellation', weight: 1, act: () => ask('now') },
    { name: 'a cancellation for later', weight: 1, act: () => ask('period_end') },
    { name: 'a cancellation undone', weight: 1, act: () => ask('undo') },
    { name: 'a request again', weight: 2, act: () => requests.length > 0 && send(draws.oneOf(requests)) },
  ]
}
