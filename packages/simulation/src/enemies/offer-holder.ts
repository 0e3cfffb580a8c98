import { guest, options } from '@quittance/billing/testing/shop'
import type { Wallet } from '@quittance/billing/testing/wallets'
import { hourMs, minuteMs, secondMs } from '@quittance/domain'
import { Keypair, xdr } from '@stellar/stellar-sdk'
import { ownTransaction } from '../own-transactions.ts'
import { peopleOf } from '../people.ts'
import type { Player } from '../player.ts'
import type { Requests } from '../requests.ts'
import type { Stage } from '../stage.ts'

type Kept = { readonly wallet: Wallet; readonly envelopeXdr: string }

/** Keeps prepared mandates, and signs them hours later, in transactions of its own without a time limit. */
export const offerHolder = (stage: Stage, { put }: Requests): Player => {
  const { random, fixture, network, note, visit, submitDirectly } = stage
  const { wallets } = peopleOf(stage)
  const kept: Array<Kept> = []
  let sessions = 0
  const keep = (id: string): string => {
    const wallet = random.oneOf(wallets)
    visit(
      `a mandate for ${id} to keep`,
      ({ payer }) => payer.transaction(id, wallet.account),
      ({ kind, transaction_xdr: envelopeXdr }) => kind === 'mandate' && kept.push({ wallet, envelopeXdr }),
    )
    return id
  }
  const open = (): void => {
    sessions += 1
    const [plan, customer] = [random.oneOf(fixture.plans), { ...guest, email: `holder-${sessions}@club.example` }]
    put(
      'a session to keep',
      ({ checkouts }, context) => checkouts.createForProduct(context, plan, options(customer)),
      (made) => keep(made.id),
    )
  }
  const sign = async (): Promise<void> => {
    if (kept.length === 0) return
    await network.wait(random.oneOf([5 * secondMs, 20 * minuteMs, hourMs]))
    const { wallet, envelopeXdr } = random.oneOf(kept.slice(-2))
    const envelope = xdr.TransactionEnvelope.fromXdr(envelopeXdr, 'base64')
    if (envelope.type !== 'envelopeTypeTx' || envelope.v1.tx.ext.type !== 'sorobanData') return
    const { operations, ext } = envelope.v1.tx
    const again = ownTransaction(network, Keypair.fromSecret(wallet.secret), operations, {
      sorobanData: ext.sorobanData,
    })
    note('a mandate of the past is signed')
    if (again !== null) submitDirectly(again)
  }
  return {
    moves: [
      { name: 'a mandate is kept', weight: 16, act: open },
      { name: 'a kept mandate is signed', weight: 8, act: sign },
    ],
    rest: () => undefined,
    attend: () => undefined,
  }
}
