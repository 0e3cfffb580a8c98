import { right } from '@quittance/domain/testing/outcomes'
import { xdr } from '@stellar/stellar-sdk'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'

import {
  alice,
  bob,
  callOf,
  coinToken,
  contractParty,
  goldToken,
  issuer,
  mandate,
  newWorld,
  operator,
  party,
  putAccount,
  putLine,
  startBalance,
  startSequence,
  stranger,
  type World,
} from '../testing/world.ts'
import { i128 } from '../values/sc-values.ts'

const accounts = [alice, bob, operator, issuer, stranger]
const parties = [...accounts.map(party), contractParty(mandate), contractParty(coinToken)]

const anyParty = fc.constantFrom(...parties)
const anyAmount = fc.oneof(
  fc.bigInt({ min: -2n, max: 20n }),
  fc.bigInt({ min: 0n, max: startBalance * 10n }),
  fc.constantFrom(startBalance, startBalance - 10_000_000n, (1n << 63n) - 1n, 1n << 63n, (1n << 127n) - 1n),
)
const amountOf = anyAmount.map(i128)
const until = fc.integer({ min: startSequence - 2, max: startSequence + 30 }).map((end) => xdr.ScVal.scvU32(end))

const anyCall = fc.oneof(
  fc.tuple(fc.constant('transfer'), fc.tuple(anyParty, anyParty, amountOf)),
  fc.tuple(fc.constant('transfer_from'), fc.tuple(anyParty, anyParty, anyParty, amountOf)),
  fc.tuple(fc.constant('approve'), fc.tuple(anyParty, anyParty, amountOf, until)),
  fc.tuple(fc.constant('burn'), fc.tuple(anyParty, amountOf)),
  fc.tuple(fc.constant('mint'), fc.tuple(anyParty, amountOf)),
  fc.tuple(fc.constant('clawback'), fc.tuple(anyParty, amountOf)),
  fc.tuple(
    fc.constant('set_authorized'),
    fc.tuple(
      anyParty,
      fc.boolean().map((each) => xdr.ScVal.scvBool(each)),
    ),
  ),
)
const anyStep = fc.record({
  token: fc.constantFrom(goldToken, coinToken),
  call: anyCall,
  ledgers: fc.integer({ min: 0, max: 3 }),
})

const amountIn = (value: xdr.ScVal): bigint => (value.type === 'scvI128' ? (value.i128.hi << 64n) + value.i128.lo : 0n)

/** The sum of all balances; of gold without the issuer, who is unlimited. */
const totalOf = (world: World, token: xdr.ContractId): bigint =>
  parties
    .filter((_, place) => token !== goldToken || accounts[place] !== issuer)
    .map((each) => world.simulate(operator, callOf(token, 'balance', [each])))
    .reduce((sum, { result }) => sum + (E.isRight(result) ? amountIn(result.right) : 0n), 0n)

/** The amount that an event creates, or destroys. */
const created = ({ body }: xdr.ContractEvent): bigint => {
  const [topic] = body.v0.topics
  const name = topic?.type === 'scvSymbol' ? topic.sym.toString() : ''
  const amount = amountIn(body.v0.data)
  return name === 'mint' ? amount : name === 'burn' || name === 'clawback' ? -amount : 0n
}

describe('random calls of tokens', () => {
  it('random token calls create and destroy exactly what their events say, and change nothing when they fail', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 30 }), (steps) => {
        const world = newWorld()
        putAccount(world.ledger, issuer, 2 | 8)
        for (const key of [alice, bob]) putLine(world.ledger, key, 1 | 4)
        let sequence = startSequence
        for (const { token, call, ledgers } of steps) {
          sequence += ledgers
          world.moveTo(sequence)
          const [name, args] = call
          const before = [goldToken, coinToken].map((each) => totalOf(world, each))
          const outcome = world.run(operator, callOf(token, name, [...args]))
          const announced = outcome.events.reduce((sum, event) => sum + created(event), 0n)
          const after = [goldToken, coinToken].map((each) => totalOf(world, each))
          expect(after).toEqual(
            before.map((sum, place) => sum + ([goldToken, coinToken][place] === token ? announced : 0n)),
          )
          if (E.isLeft(outcome.result)) expect(outcome.events).toEqual([])
        }
      }),
      { numRuns: 60 },
    )
  })

  it('random token calls need in a ledger what their simulation found, at the same cost', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 15 }), (steps) => {
        const world = newWorld()
        for (const { token, call } of steps) {
          const [name, args] = call
          const wanted = callOf(token, name, [...args])
          const { result, footprint, auth, archived, cost } = world.simulate(operator, wanted)
          const isSigned = auth.every(({ credentials }) => credentials.type === 'sorobanCredentialsSourceAccount')
          if (E.isRight(result) && isSigned) {
            const mode = { _tag: 'enforce', footprint, auth, restored: archived } as const
            const enforced = world.run(operator, wanted, mode)
            expect(right(enforced.result)).toEqual(result.right)
            expect(enforced.cost).toEqual(cost)
          } else world.run(operator, wanted)
        }
      }),
      { numRuns: 60 },
    )
  })
})
