import { MandateId, stroops, unixMs } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { scValToNative, TransactionBuilder, xdr } from '@stellar/stellar-sdk'
import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { MandateCharge } from '../../mandate.ts'
import { named } from '../../named.ts'
import type { CallLimits, Simulation } from '../../simulation.ts'
import { handMadeNetwork, trader } from '../../testing/hand-made.ts'
import { hashOf, sequence } from '../../testing/ledgers.ts'
import { order, terms, transactionData } from '../../testing/mandate-terms.ts'

import { chargeManyCall } from './calls.ts'
import { u32, vector } from './contract-values.ts'
import { fitting } from './limits.ts'
import { prepareCharges } from './prepare-charges.ts'

const limits: CallLimits = {
  instructions: 100_000_000,
  footprintEntries: 100,
  writtenEntries: 50,
  diskReadEntries: 40,
  diskReadBytes: 200_000,
  writtenBytes: 132_096,
  eventBytes: 16_384,
  transactionBytes: 132_096,
  maxEntryTtl: 3_110_400,
  rates: { per10kInstructions: 25n, perDiskRead1Kb: 1_786n, perWrite1Kb: 3_500n },
}

const chargeOf = (number: number): MandateCharge => ({
  mandate: named(MandateId, hashOf(number)),
  periodStart: unixMs(1_769_860_800_000),
  amount: stroops(100n),
  reference: `pay_${number}`,
})
const charges = (count: number): ReadonlyArray<MandateCharge> =>
  Array.from({ length: count }, (_, n) => chargeOf(n + 1))

/** The numbers of the mandates that an envelope charges. */
const chargedIn = (envelopeXdr: string): ReadonlyArray<number> => {
  const envelope = TransactionBuilder.fromXdr(envelopeXdr, handMadeNetwork).toEnvelope()
  if (envelope.type !== 'envelopeTypeTx') throw new Error('no transaction')
  const [operation] = envelope.v1.tx.operations
  if (operation?.body.type !== 'invokeHostFunction') throw new Error('no call')
  const { hostFunction } = operation.body.invokeHostFunctionOp
  if (hostFunction.type !== 'hostFunctionTypeInvokeContract') throw new Error('no call')
  const [, items = vector()] = hostFunction.invokeContract.args
  return scValToNative(items).map((item: { mandate: Uint8Array }) =>
    Number(`0x${Buffer.from(item.mandate).toString('hex')}`),
  )
}

/** A node where each charge writes so many entries, and mandates are refused with these numbers. */
const node = (written: number, refusals: ReadonlyMap<number, number> = new Map(), most = Number.POSITIVE_INFINITY) => {
  const rounds: Array<number> = []
  const simulate = (envelopeXdr: string) => {
    const asked = chargedIn(envelopeXdr)
    rounds.push(asked.length)
    const call = chargeManyCall(terms.contract, trader, asked.map(chargeOf))
    if (call.authorised === null) throw new Error('nothing is authorised')
    const auth = new xdr.SorobanAuthorizationEntry({
      credentials: xdr.SorobanCredentials.sorobanCredentialsSourceAccount(),
      rootInvocation: call.authorised,
    })
    const writes = written * asked.length
    const answer: Simulation =
      asked.length > most
        ? {
            _tag: 'SimulationFailed',
            asOf: sequence(20),
            contractError: null,
            hostError: { type: 'Budget', code: 'ExceededLimit' },
            cause: 'HostError: Error(Budget, ExceededLimit)',
          }
        : {
            _tag: 'Simulated',
            asOf: sequence(20),
            transactionData: transactionData(writes),
            minResourceFee: stroops(1_000n),
            auth: [auth.toXdr('base64')],
            returnValue: vector(...asked.map((number) => u32(refusals.get(number) ?? 0))).toXdr('base64'),
            restoredEntries: 0,
            resources: {
              instructions: 1_000_000 * asked.length,
              footprintEntries: writes + 3,
              writtenEntries: writes,
              diskReadEntries: asked.length,
              diskReadBytes: 100,
              writtenBytes: 500 * asked.length,
              eventBytes: 600 * asked.length,
            },
          }
    return TE.right(answer)
  }
  return { rounds, simulate }
}

const prepared = async (gateway: ReturnType<typeof node>, asked: ReadonlyArray<MandateCharge>) =>
  right(await prepareCharges(gateway)(order, terms.contract, trader, asked, limits)())

describe('charges that go out together', () => {
  it('fill one call, and the others wait', async () => {
    const gateway = node(3)
    const { prepared: call, taken, postponed, refused } = await prepared(gateway, charges(20))
    expect([taken, postponed, refused]).toEqual([charges(20).slice(0, 16), charges(20).slice(16), []])
    expect(chargedIn(call?.envelopeXdr ?? '')).toEqual(taken.map((_, index) => index + 1))
    expect(gateway.rounds).toEqual([16])
  })
  it('are fewer where they need more resources than expected', async () => {
    const { taken, postponed } = await prepared(node(4), charges(20))
    expect([taken.length, postponed]).toEqual([12, charges(20).slice(12)])
  })
  it('are fewer where the node cannot even simulate them', async () => {
    const gateway = node(3, new Map(), 5)
    const { taken, postponed } = await prepared(gateway, charges(20))
    expect([taken, postponed]).toEqual([charges(20).slice(0, 4), charges(20).slice(4)])
    expect(gateway.rounds).toEqual([16, 8, 4])
  })
  it('leave out refused charges, each with its reason, and are simulated anew', async () => {
    const gateway = node(
      3,
      new Map([
        [1, 10],
        [3, 113],
      ]),
    )
    const { prepared: call, taken, refused } = await prepared(gateway, charges(4))
    expect(refused).toEqual([
      { charge: chargeOf(1), number: 10 },
      { charge: chargeOf(3), number: 113 },
    ])
    expect(taken).toEqual([chargeOf(2), chargeOf(4)])
    expect(chargedIn(call?.envelopeXdr ?? '')).toEqual([2, 4])
    expect(gateway.rounds).toEqual([4, 2])
  })
  it('are none where all are refused, or none are given', async () => {
    const all = await prepared(
      node(
        3,
        new Map([
          [1, 10],
          [2, 9],
        ]),
      ),
      charges(2),
    )
    expect([all.prepared, all.taken, all.refused.map(({ number }) => number)]).toEqual([null, [], [10, 9]])
    expect(await prepared(node(3), [])).toEqual({ prepared: null, taken: [], refused: [], postponed: [] })
  })
  it('fail together where the network does not take even one', async () => {
    const gateway = node(3, new Map(), 0)
    expect(await prepareCharges(gateway)(order, terms.contract, trader, charges(2), limits)()).toMatchObject(
      E.left({ _tag: 'SimulationFailed', hostError: { type: 'Budget' } }),
    )
  })
  it('are not sent where a node reports on some of them only', async () => {
    const { simulate } = node(3)
    const forgetful = (envelope: string) =>
      TE.map((answer: Simulation): Simulation => ({ ...answer, ...{ returnValue: vector(u32(0)).toXdr('base64') } }))(
        simulate(envelope),
      )
    const asked = prepareCharges({ simulate: forgetful })(order, terms.contract, trader, charges(2), limits)
    expect(await asked()).toMatchObject(E.left({ _tag: 'LedgerUnreachable' }))
  })

  it('are each taken, refused or postponed, once, in their order, and within the limits', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 40 }),
        fc.integer({ min: 1, max: 20 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 40 })),
        async (count, written, refusing) => {
          const gateway = node(written, new Map(refusing.map((number) => [number, 9])))
          const { taken, refused, postponed } = await prepared(gateway, charges(count))
          const numbers = (some: ReadonlyArray<MandateCharge>) =>
            some.map(({ reference }) => Number(reference.slice(4)))
          const gone = refused.map(({ charge }) => charge)
          expect([...numbers(taken), ...numbers(gone), ...numbers(postponed)].sort((a, b) => a - b)).toEqual(
            numbers(charges(count)),
          )
          for (const some of [taken, gone, postponed])
            expect(numbers(some)).toEqual(numbers(some).toSorted((a, b) => a - b))
          expect(gone.every(({ reference }) => refusing.includes(Number(reference.slice(4))))).toBe(true)
          expect(taken.length <= 1 || taken.length * written <= limits.writtenEntries).toBe(true)
        },
      ),
      { numRuns: 60 },
    ))
})

describe('how much of a call fits', () => {
  const needed = { ...limits, transactionBytes: 0, maxEntryTtl: 0 }
  it('is everything within the limits, else what the scarcest resource leaves', () => {
    expect(fitting(needed, limits.transactionBytes, limits, 10)).toBe(10)
    for (const scarce of [
      'instructions',
      'footprintEntries',
      'writtenEntries',
      'diskReadEntries',
      'diskReadBytes',
      'writtenBytes',
      'eventBytes',
    ] as const)
      expect(fitting({ ...needed, [scarce]: limits[scarce] * 2 }, 1, limits, 10)).toBe(5)
    expect(fitting(needed, limits.transactionBytes * 4, limits, 10)).toBe(2)
  })
})
