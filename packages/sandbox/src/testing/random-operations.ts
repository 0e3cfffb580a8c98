import { Asset, Claimant, type Keypair, Operation, type xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import { keyNumber, usdc, usdcIssuer } from './fixture.ts'

/** Accounts that exist from the start, and accounts that operations may create and merge. */
export const residents = [1, 2, 3, 4].map(keyNumber)
export const newcomers = [11, 12].map(keyNumber)
export const everyone: ReadonlyArray<Keypair> = [...residents, ...newcomers, usdcIssuer]

const kinds = [
  'payment',
  'changeTrust',
  'manageData',
  'setSigner',
  'createAccount',
  'accountMerge',
  'bumpSequence',
  'createClaimableBalance',
  'claimClaimableBalance',
  'clawbackClaimableBalance',
  'clawback',
  'setTrustLineFlags',
  'allowTrust',
  'revokeLine',
  'revokeSigner',
  'revokeBalance',
  'revokeAccount',
  'manageSellOffer',
  'manageBuyOffer',
  'pathPayment',
] as const

/** Operations that others depend on, generated more often. */
const frequent = [
  'createClaimableBalance',
  'createClaimableBalance',
  'claimClaimableBalance',
  'claimClaimableBalance',
  'accountMerge',
] as const

/** One random operation: its kind, actor, counterparty, amount and variant. */
export type Move = {
  readonly kind: (typeof kinds)[number]
  readonly actor: number
  readonly other: number
  readonly amount: number
  readonly choice: number
}

/**
 * A random transaction. `sponsor` is the resident, counted from the first actor, that sponsors that actor's reserves;
 * `payer` the resident that pays the fee.
 */
export type RandomTransaction = {
  readonly moves: ReadonlyArray<Move>
  readonly sponsor: number | null
  readonly payer: number | null
  readonly source: number
}

const who = fc.nat({ max: residents.length + newcomers.length - 1 })
const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom(...kinds, ...frequent),
  actor: who,
  other: who,
  amount: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 20 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 12_000 }) },
  ),
  choice: fc.nat({ max: 5 }),
})

export const randomTransaction: fc.Arbitrary<RandomTransaction> = fc.record({
  moves: fc.oneof(
    { weight: 5, arbitrary: fc.tuple(move) },
    { weight: 1, arbitrary: fc.array(move, { minLength: 2, maxLength: 3 }) },
  ),
  sponsor: fc.option(fc.nat({ max: residents.length - 2 }), { freq: 2 }),
  payer: fc.option(fc.nat({ max: residents.length - 1 }), { freq: 2 }),
  source: fc.nat({ max: residents.length - 1 }),
})

const native = Asset.native()
export const keyAt = (index: number): Keypair => everyone[index % everyone.length] ?? usdcIssuer

/** The claimable balances that operations may choose from. */
export type Balances = ReadonlyArray<string>

const claimants = (keys: ReadonlyArray<Keypair>, choice: number) => {
  const predicate = choice % 3 === 0 ? Claimant.predicateBeforeRelativeTime('3') : Claimant.predicateUnconditional()
  return [...new Set(keys.map((key) => key.publicKey()))].map((each) => new Claimant(each, predicate))
}

const flagChoices = [
  { authorized: true },
  { authorized: false },
  { authorized: false, authorizedToMaintainLiabilities: true },
  { authorized: true, authorizedToMaintainLiabilities: false },
]

export const operationOf = (chosen: Move, balances: Balances): xdr.Operation => {
  const { kind, choice } = chosen
  const [actor, other] = [keyAt(chosen.actor), keyAt(chosen.other)]
  const [source, destination] = [actor.publicKey(), other.publicKey()]
  const issuer = usdcIssuer.publicKey()
  const amount = chosen.amount.toString()
  const asset = choice % 2 === 0 ? native : usdc
  const balanceId = balances[choice % Math.max(1, balances.length)] ?? '00'.repeat(36)
  switch (kind) {
    case 'payment':
      return Operation.payment({ source, destination, asset, amount })
    case 'changeTrust':
      return Operation.changeTrust({ source, asset: usdc, limit: choice === 0 ? '0' : amount })
    case 'manageData':
      return Operation.manageData({ source, name: `name ${choice}`, value: choice % 2 === 0 ? 'value' : null })
    case 'setSigner':
      return Operation.setOptions({ source, signer: { ed25519PublicKey: destination, weight: choice % 2 } })
    case 'createAccount':
      return Operation.createAccount({ source, destination, startingBalance: (choice * 2).toString() })
    case 'accountMerge':
      return Operation.accountMerge({ source, destination })
    case 'bumpSequence':
      return Operation.bumpSequence({ source, bumpTo: amount })
    case 'createClaimableBalance':
      return Operation.createClaimableBalance({
        source,
        asset,
        amount,
        claimants: claimants([actor, other, keyAt(choice)], choice),
      })
    case 'claimClaimableBalance':
      return Operation.claimClaimableBalance({ source, balanceId })
    case 'clawbackClaimableBalance':
      return Operation.clawbackClaimableBalance({ source: issuer, balanceId })
    case 'clawback':
      return Operation.clawback({ source: issuer, asset: usdc, from: destination, amount })
    case 'setTrustLineFlags': {
      const flags = flagChoices[choice % flagChoices.length] ?? {}
      return Operation.setTrustLineFlags({ source: issuer, trustor: destination, asset: usdc, flags })
    }
    case 'allowTrust':
      return Operation.allowTrust({
        source: issuer,
        trustor: destination,
        assetCode: 'USDC',
        authorize: choice % 2 === 0 ? 0 : 1,
      })
    case 'revokeLine':
      return Operation.revokeTrustlineSponsorship({ source, account: destination, asset: usdc })
    case 'revokeSigner':
      return Operation.revokeSignerSponsorship({
        source,
        account: destination,
        signer: { ed25519PublicKey: keyAt(choice).publicKey() },
      })
    case 'revokeBalance':
      return Operation.revokeClaimableBalanceSponsorship({ source, balanceId })
    case 'revokeAccount':
      return Operation.revokeAccountSponsorship({ source, account: destination })
    case 'manageSellOffer':
      return Operation.manageSellOffer({
        source,
        selling: native,
        buying: usdc,
        amount,
        price: { n: 1 + choice, d: 3 },
      })
    case 'manageBuyOffer':
      return Operation.manageBuyOffer({
        source,
        selling: usdc,
        buying: native,
        buyAmount: amount,
        price: { n: 3, d: 1 + choice },
      })
    case 'pathPayment':
      return Operation.pathPaymentStrictReceive({
        source,
        sendAsset: native,
        sendMax: '12000',
        destination,
        destAsset: usdc,
        destAmount: amount,
        path: [],
      })
  }
}
