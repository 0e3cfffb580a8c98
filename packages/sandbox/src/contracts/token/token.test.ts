import { right } from '@quittance/domain/testing/outcomes'
import { type Keypair, xdr } from '@stellar/stellar-sdk'
import { clawbackFlag } from '../../ledger/trustlines.ts'

import { maxTtl } from '../settings.ts'
import {
  alice,
  bob,
  callOf,
  coinToken,
  contractParty,
  createToken,
  eventsOf,
  gold,
  goldName,
  goldToken,
  issuer,
  mandate,
  newWorld,
  operator,
  party,
  putAccount,
  putLine,
  refusalOf,
  startBalance,
  startSequence,
  stranger,
  type World,
} from '../testing/world.ts'
import { i128 } from '../values/sc-values.ts'

const u32 = (value: number) => xdr.ScVal.scvU32(value)
const on =
  (token: xdr.ContractId) =>
  (world: World, source: Keypair, name: string, ...args: xdr.ScVal[]) =>
    world.run(source, callOf(token, name, args))
const inGold = on(goldToken)
const inCoins = on(coinToken)
const balanceIn = (token: typeof inGold, world: World, whose: xdr.ScVal) =>
  right(token(world, operator, 'balance', whose).result)
const goldOf = (world: World, key: Keypair) => balanceIn(inGold, world, party(key))
const coinsOf = (world: World, key: Keypair) => balanceIn(inCoins, world, party(key))

const muxed = (key: Keypair, id: bigint) =>
  xdr.ScVal.scvAddress(
    xdr.ScAddress.scAddressTypeMuxedAccount(new xdr.MuxedEd25519Account({ id, ed25519: key.xdrAccountId().ed25519 })),
  )

describe("an asset's token contract", () => {
  it('a token answers its name, symbol, decimals and admin', () => {
    const world = newWorld()
    const answers = ['name', 'symbol', 'decimals', 'admin'].map((name) => right(inGold(world, alice, name).result))
    expect(answers).toEqual([xdr.ScVal.scvString(goldName), xdr.ScVal.scvString('GOLD'), u32(7), party(issuer)])
    expect(right(inCoins(world, alice, 'name').result)).toEqual(xdr.ScVal.scvString('native'))
    expect(refusalOf(inCoins(world, alice, 'admin'))).toBe('sceStorage scecMissingValue')
  })

  it('a token can be created once and never initialized again', () => {
    const world = newWorld()
    expect(refusalOf(world.run(alice, createToken(gold)))).toBe('sceStorage scecExistingValue')
    expect(refusalOf(inGold(world, alice, 'init_asset', xdr.ScVal.scvBytes(gold.toXdr())))).toBe(3)
  })

  it('a token rejects unknown functions and wrong numbers of arguments', () => {
    const world = newWorld()
    expect(refusalOf(inGold(world, alice, 'transfer_all'))).toBe('sceContext scecMissingValue')
    expect(refusalOf(inGold(world, alice, 'toString'))).toBe('sceContext scecMissingValue')
    expect(refusalOf(inGold(world, alice, 'balance'))).toBe('sceContext scecUnexpectedSize')
    expect(refusalOf(inGold(world, alice, 'balance', u32(1)))).toBe('sceValue scecUnexpectedType')
  })
})

describe('a transfer', () => {
  it('a transfer moves balances of trustlines and emits an event that names the asset', () => {
    const world = newWorld()
    const outcome = inGold(world, alice, 'transfer', party(alice), party(bob), i128(5n))
    expect(eventsOf(outcome)).toEqual([['transfer', alice.publicKey(), bob.publicKey(), goldName, 5n]])
    expect([goldOf(world, alice), goldOf(world, bob)]).toEqual([i128(startBalance - 5n), i128(startBalance + 5n)])
  })

  it('a transfer to a muxed account pays the account and emits its id', () => {
    const world = newWorld()
    const outcome = inGold(world, alice, 'transfer', party(alice), muxed(bob, 77n), i128(5n))
    expect(eventsOf(outcome)).toEqual([
      ['transfer', alice.publicKey(), bob.publicKey(), goldName, { amount: 5n, to_muxed_id: 77n }],
    ])
    expect(goldOf(world, bob)).toEqual(i128(startBalance + 5n))
  })

  it('a transfer rejects a muxed payer', () => {
    const outcome = inGold(newWorld(), alice, 'transfer', muxed(alice, 77n), party(bob), i128(5n))
    expect(refusalOf(outcome)).toBe('sceValue scecUnexpectedType')
  })

  it('a transfer by the issuer is a mint, to the issuer a burn', () => {
    const world = newWorld()
    const minted = inGold(world, issuer, 'transfer', party(issuer), party(bob), i128(5n))
    expect(eventsOf(minted)).toEqual([['mint', bob.publicKey(), goldName, 5n]])
    const burnt = inGold(world, bob, 'transfer', party(bob), party(issuer), i128(6n))
    expect(eventsOf(burnt)).toEqual([['burn', bob.publicKey(), goldName, 6n]])
    expect(goldOf(world, bob)).toEqual(i128(startBalance - 1n))
  })

  it('a native transfer of at least two reserves creates a missing account', () => {
    const world = newWorld()
    const send = (amount: bigint) => inCoins(world, alice, 'transfer', party(alice), party(stranger), i128(amount))
    expect(refusalOf(send(9_999_999n))).toBe(14)
    expect(refusalOf(send(0n))).toBe(6)
    expect(refusalOf(send(10_000_000n))).toBeUndefined()
    expect(world.account(stranger)).toMatchObject({ balance: 10_000_000n, seqNum: BigInt(startSequence) << 32n })
    expect(refusalOf(send(1n))).toBeUndefined()
    expect(coinsOf(world, stranger)).toEqual(i128(10_000_001n))
  })

  it("transfers to and from contracts change the token's own entries", () => {
    const world = newWorld()
    const contract = contractParty(mandate)
    right(inGold(world, alice, 'transfer', party(alice), contract, i128(5n)).result)
    expect(balanceIn(inGold, world, contract)).toEqual(i128(5n))
    const tooMuch = inGold(world, alice, 'transfer', contract, party(bob), i128(6n))
    expect(refusalOf(tooMuch)).toBe(10)
  })

  const send = (from: Keypair, to: Keypair, amount: bigint, world = newWorld()) =>
    refusalOf(inGold(world, from, 'transfer', party(from), party(to), i128(amount)))
  const without = (flags: number) => {
    const world = newWorld()
    putLine(world.ledger, bob, flags)
    return world
  }

  it.each([
    ['an amount below nothing', 8, () => send(alice, bob, -1n)],
    ['more than there is', 10, () => send(alice, bob, startBalance + 1n)],
    ["more than the payee's line takes", 10, () => send(issuer, bob, 9n * startBalance + 1n)],
    ['a payee without a line', 13, () => send(alice, operator, 1n)],
    ['a payer without a line', 13, () => send(operator, alice, 1n)],
    ['a payee without consent', 11, () => send(alice, bob, 1n, without(0))],
    ['a payer without consent', 11, () => send(bob, alice, 1n, without(2))],
    ['more than an account can hold', 12, () => send(issuer, bob, 1n << 63n)],
  ])('is refused for %s: %i', (_why, number, refusal) => {
    expect(refusal()).toBe(number)
  })

  it("a transfer cannot spend an account's reserve", () => {
    const world = newWorld()
    const spendableCoins = startBalance - 10_000_000n
    const sendCoins = (amount: bigint) =>
      refusalOf(inCoins(world, bob, 'transfer', party(bob), party(alice), i128(amount)))
    expect(sendCoins(spendableCoins + 1n)).toBe(10)
    expect(sendCoins(spendableCoins)).toBeUndefined()
  })
})

describe('an allowance', () => {
  const approve = (world: World, amount: bigint, until: number) =>
    inGold(world, alice, 'approve', party(alice), party(operator), i128(amount), u32(until))
  const allowance = (world: World) => right(inGold(world, bob, 'allowance', party(alice), party(operator)).result)
  const collect = (world: World, amount: bigint) =>
    inGold(world, operator, 'transfer_from', party(operator), party(alice), party(bob), i128(amount))

  it('an allowance can be spent to zero and not below', () => {
    const world = newWorld()
    expect(eventsOf(approve(world, 10n, startSequence + 5))).toEqual([
      ['approve', alice.publicKey(), operator.publicKey(), goldName, [10n, startSequence + 5]],
    ])
    expect(refusalOf(collect(world, 11n))).toBe(9)
    expect(eventsOf(collect(world, 10n))).toEqual([['transfer', alice.publicKey(), bob.publicKey(), goldName, 10n]])
    expect(allowance(world)).toEqual(i128(0n))
    expect(refusalOf(collect(world, 1n))).toBe(9)
  })

  it('an allowance is valid in its last ledger and not in the next', () => {
    const world = newWorld()
    right(approve(world, 10n, startSequence + 5).result)
    world.moveTo(startSequence + 5)
    expect(allowance(world)).toEqual(i128(10n))
    world.moveTo(startSequence + 6)
    expect(allowance(world)).toEqual(i128(0n))
    expect(refusalOf(collect(world, 1n))).toBe(9)
  })

  it('a new allowance replaces the amount and expiry of the old one', () => {
    const world = newWorld()
    right(approve(world, 10n, startSequence + 50).result)
    right(approve(world, 3n, startSequence + 5).result)
    expect(allowance(world)).toEqual(i128(3n))
    world.moveTo(startSequence + 6)
    expect(allowance(world)).toEqual(i128(0n))
  })

  it.each([
    ['in the past', 1n, -1, 9],
    ['in the past, of nothing', 0n, -1, undefined],
    ['as late as anything lives', 1n, maxTtl - 1, undefined],
    ['later than anything lives', 1n, maxTtl, 9],
    ['in time, of less than nothing', -1n, 5, 8],
  ])('that ends %s: %s', (_when, amount, ledgers, refusal) => {
    expect(refusalOf(approve(newWorld(), amount, startSequence + ledgers))).toBe(refusal)
  })

  it('a spender may burn from an allowance', () => {
    const world = newWorld()
    right(approve(world, 10n, startSequence + 5).result)
    const burnt = inGold(world, operator, 'burn_from', party(operator), party(alice), i128(4n))
    expect(eventsOf(burnt)).toEqual([['burn', alice.publicKey(), goldName, 4n]])
    expect(allowance(world)).toEqual(i128(6n))
  })
})

describe('trust', () => {
  const trust = (world: World, key: Keypair) => inGold(world, key, 'trust', party(key))

  it("trust opens a trustline without limit, with the account's authorization and reserve", () => {
    const world = newWorld()
    const opened = trust(world, operator)
    expect([refusalOf(opened), opened.auth.length]).toEqual([undefined, 1])
    expect(world.account(operator)?.numSubEntries).toBe(1)
    expect(refusalOf(inGold(world, issuer, 'mint', party(operator), i128((1n << 63n) - 1n)))).toBeUndefined()
  })

  it('trust does nothing for an existing trustline or a contract', () => {
    const world = newWorld()
    expect([refusalOf(trust(world, alice)), trust(world, alice).auth]).toEqual([undefined, []])
    expect(refusalOf(inGold(world, alice, 'trust', contractParty(mandate)))).toBeUndefined()
  })

  it.each([
    ['of the issuer', 2, (world: World) => trust(world, issuer)],
    ['in coins', 2, (world: World) => inCoins(world, alice, 'trust', party(alice))],
    ['of an account that is not there', 6, (world: World) => trust(world, stranger)],
  ])('%s is refused: %i', (_whose, number, ask) => {
    expect(refusalOf(ask(newWorld()))).toBe(number)
  })
})

describe('an issuer', () => {
  it('minting and burning change the circulating amount', () => {
    const world = newWorld()
    expect(eventsOf(inGold(world, issuer, 'mint', party(bob), i128(5n)))).toEqual([
      ['mint', bob.publicKey(), goldName, 5n],
    ])
    expect(eventsOf(inGold(world, bob, 'burn', party(bob), i128(5n)))).toEqual([
      ['burn', bob.publicKey(), goldName, 5n],
    ])
    expect(refusalOf(inGold(world, issuer, 'burn', party(issuer), i128(5n)))).toBe(2)
    expect(refusalOf(inGold(world, issuer, 'mint', party(issuer), i128(5n)))).toBe(2)
    expect(refusalOf(inCoins(world, bob, 'burn', party(bob), i128(5n)))).toBe(2)
  })

  it('an issuer authorizes and deauthorizes holders where its flags allow it', () => {
    const world = newWorld()
    const setAuthorized = (isAllowed: boolean) =>
      inGold(world, issuer, 'set_authorized', party(bob), xdr.ScVal.scvBool(isAllowed))
    expect(refusalOf(setAuthorized(false))).toBe(2)
    putAccount(world.ledger, issuer, 2)
    expect(eventsOf(setAuthorized(false))).toEqual([['set_authorized', bob.publicKey(), goldName, false]])
    expect(right(inGold(world, alice, 'authorized', party(bob)).result)).toEqual(xdr.ScVal.scvBool(false))
    right(setAuthorized(true).result)
    expect(right(inGold(world, alice, 'authorized', party(bob)).result)).toEqual(xdr.ScVal.scvBool(true))
  })

  it('claws back only from trustlines that allow it', () => {
    const world = newWorld()
    const takeBack = () => inGold(world, issuer, 'clawback', party(bob), i128(5n))
    expect(refusalOf(takeBack())).toBe(10)
    putLine(world.ledger, bob, clawbackFlag)
    expect(eventsOf(takeBack())).toEqual([['clawback', bob.publicKey(), goldName, 5n]])
    expect(goldOf(world, bob)).toEqual(i128(startBalance - 5n))
  })

  it('an admin can name another admin', () => {
    const world = newWorld()
    const outcome = inGold(world, issuer, 'set_admin', party(bob))
    expect(eventsOf(outcome)).toEqual([['set_admin', issuer.publicKey(), goldName, bob.publicKey()]])
    expect(right(inGold(world, alice, 'admin').result)).toEqual(party(bob))
    const { auth } = inGold(world, bob, 'mint', party(alice), i128(1n))
    expect(auth.map(({ credentials }) => credentials.type)).toEqual(['sorobanCredentialsSourceAccount'])
  })
})
