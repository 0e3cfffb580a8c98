import { right } from '@quittance/domain/testing/outcomes'
import { Asset, type Keypair, Operation } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import type { Sandbox } from '../sandbox-api.ts'
import { accountEntry, funded, keyNumber, outcomeOf, signed, usdc } from './fixture.ts'

/** Accounts that pay each other, and one that does not exist. */
const keys = [1, 2, 3, 4].map(keyNumber)
const stranger = keyNumber(99)

export type Step =
  | { readonly kind: 'close' }
  | { readonly kind: 'send'; readonly from: number; readonly operations: ReadonlyArray<Move>; readonly gap: number }

const kinds = ['XLM', 'USDC', 'limit', 'data', 'ask', 'bid', 'receive', 'send'] as const
type Move = { readonly to: number; readonly asset: (typeof kinds)[number]; readonly amount: number }

const move = fc.record({
  to: fc.integer({ min: 0, max: keys.length }),
  asset: fc.constantFrom(...kinds),
  amount: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 9_000, max: 12_000 })),
})

export const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.constant<Step>({ kind: 'close' }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('send' as const),
        from: fc.integer({ min: 0, max: keys.length - 1 }),
        operations: fc.array(move, { minLength: 1, maxLength: 4 }),
        gap: fc.constantFrom(0, 0, 0, 0, 1),
      }),
    },
  ),
  { minLength: 5, maxLength: 25 },
)

const native = Asset.native()

/** A price of 1.5 XLM per USDC, or up to two sevenths more. */
const priceFor = (to: number) => ({ n: 21 + to, d: 14 })

const operationOf = ({ to, asset, amount }: Move) => {
  const destination = (keys[to] ?? stranger).publicKey()
  switch (asset) {
    case 'XLM':
      return Operation.payment({ destination, asset: native, amount: amount.toString() })
    case 'USDC':
      return Operation.payment({ destination, asset: usdc, amount: amount.toString() })
    case 'limit':
      return Operation.changeTrust({ asset: usdc, limit: amount.toString() })
    case 'data':
      return Operation.manageData({ name: `name ${to}`, value: amount % 2 === 0 ? null : 'value' })
    case 'ask':
      return Operation.manageSellOffer({
        selling: usdc,
        buying: native,
        amount: amount.toString(),
        price: priceFor(to),
      })
    case 'bid':
      return Operation.manageBuyOffer({
        selling: native,
        buying: usdc,
        buyAmount: amount.toString(),
        price: priceFor(to),
      })
    case 'receive':
      return Operation.pathPaymentStrictReceive({
        destination,
        sendAsset: native,
        sendMax: (amount * 3).toString(),
        destAsset: usdc,
        destAmount: amount.toString(),
      })
    case 'send':
      return Operation.pathPaymentStrictSend({
        destination,
        sendAsset: usdc,
        sendAmount: amount.toString(),
        destAsset: native,
        destMin: '1',
      })
  }
}

/** Funds every account with XLM and 10,000 USDC. */
export const prepared = async (sandbox: Sandbox): Promise<void> => {
  await funded(sandbox, ...keys)
  for (const key of keys) {
    outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: usdc, limit: '15000' })]))
    right(await sandbox.fund({ address: key.publicKey(), assetId: `USDC:${usdc.getIssuer()}` })())
  }
}

const keyAt = (index: number): Keypair => keys[index] ?? stranger

/** The signed envelope of a step, given the account's current sequence number. */
export const envelopeOf = (sandbox: Sandbox, { from, operations, gap }: Extract<Step, { kind: 'send' }>): string => {
  const key = keyAt(from)
  const sequence = accountEntry(sandbox, key).seqNum + 1n + BigInt(gap)
  const fee = (100 * operations.length).toString()
  const transaction = signed(sandbox, key, operations.map(operationOf), { sequence, fee })
  return transaction.toEnvelope().toXdr('base64')
}

export const accounts: ReadonlyArray<Keypair> = keys
