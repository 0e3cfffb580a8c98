import { Asset, Claimant, type Keypair, Operation, xdr } from '@stellar/stellar-sdk'
import { balanceIdAt } from '../ledger/claimable-balances.ts'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  funded,
  keyNumber,
  outcomeOf,
  sandboxInMemory,
  signed,
  startMs,
  trustline,
  usdc,
  usdcIssuer,
  type WallClock,
  wallClockAt,
} from '../testing/fixture.ts'

const giver = keyNumber(1)
const taker = keyNumber(2)
const other = keyNumber(3)
const native = Asset.native()
const always = Claimant.predicateUnconditional()

let wall: WallClock
let sandbox: Sandbox
beforeEach(async () => {
  wall = wallClockAt(startMs)
  sandbox = sandboxInMemory(wall)
  await funded(sandbox, giver, taker, other)
})

const run = (key: Keypair, ...operations: ReadonlyArray<xdr.Operation>) =>
  outcomeOf(sandbox, signed(sandbox, key, operations))

type Gift = { amount?: string; asset?: Asset; claimants?: Claimant[]; source?: Keypair }

/** Creates a claimable balance; answers the result code and the expected id. */
const give = ({ amount = '10', asset = native, claimants = [claimable(taker)], source = giver }: Gift = {}) => {
  const sequence = accountEntry(sandbox, source).seqNum + 1n
  const code = run(source, Operation.createClaimableBalance({ asset, amount, claimants }))
  const id = balanceIdAt({ account: source.xdrAccountId(), sequence, index: 0 })
  return { code, id, balanceId: id.toXdr('hex') }
}
const claimable = (key: Keypair, predicate = always) => new Claimant(key.publicKey(), predicate)
const claim = (key: Keypair, balanceId: string) => run(key, Operation.claimClaimableBalance({ balanceId }))

const entryOf = (id: xdr.ClaimableBalanceId) =>
  sandbox.read.findEntry(xdr.LedgerKey.claimableBalance(new xdr.LedgerKeyClaimableBalance({ balanceId: id })))

const sponsoring = (key: Keypair) => {
  const { ext } = accountEntry(sandbox, key)
  return ext.type === 'v1' && ext.v1.ext.type === 'v2' ? ext.v1.ext.v2.numSponsoring : 0
}

describe('a claimable balance', () => {
  it('a claimable balance has the id that the SDK computes', () => {
    const create = Operation.createClaimableBalance({ asset: native, amount: '1', claimants: [claimable(taker)] })
    const transaction = signed(sandbox, giver, [create])
    expect(outcomeOf(sandbox, transaction)).toBe('txSuccess')
    const id = xdr.ClaimableBalanceId.fromXdr(transaction.getClaimableBalanceId(0), 'hex')
    expect(entryOf(id)?.data.type).toBe('claimableBalance')
  })

  it('creating a claimable balance debits the creator, who also locks a reserve per claimant until the claim', () => {
    const before = accountEntry(sandbox, giver).balance
    const { code, balanceId } = give({ claimants: [claimable(taker), claimable(other)] })
    expect(code).toBe('txSuccess')
    expect(accountEntry(sandbox, giver).balance).toBe(before - 100_000_100n)
    expect(sponsoring(giver)).toBe(2)
    expect(accountEntry(sandbox, giver).numSubEntries).toBe(0)
    expect(claim(taker, balanceId)).toBe('txSuccess')
    expect(sponsoring(giver)).toBe(0)
  })

  it('any one claimant claims the whole balance', () => {
    const { balanceId, id } = give({ claimants: [claimable(taker), claimable(other)] })
    const before = accountEntry(sandbox, other).balance
    expect(claim(other, balanceId)).toBe('txSuccess')
    expect(accountEntry(sandbox, other).balance).toBe(before + 99_999_900n)
    expect(entryOf(id)).toBeUndefined()
    expect(claim(taker, balanceId)).toBe('claimClaimableBalanceDoesNotExist')
  })

  it('only claimants can claim', () => {
    expect(claim(other, give().balanceId)).toBe('claimClaimableBalanceCannotClaim')
  })

  it('creating a claimable balance cannot spend its own reserve', () => {
    const { balance } = accountEntry(sandbox, giver)
    const decimal = (stroops: bigint) =>
      `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, '0')}`
    const free = balance - 10_000_000n - 5_000_000n
    expect(give({ amount: decimal(free - 99n) }).code).toBe('createClaimableBalanceLowReserve')
    expect(give({ amount: decimal(free - 200n) }).code).toBe('txSuccess')
    expect(give({ amount: '1', source: giver }).code).toBe('txInsufficientBalance')
  })

  it("an issued claimable balance needs both sides' trustlines, and room on the claimant's", () => {
    const trust = (key: Keypair, limit: string) => run(key, Operation.changeTrust({ asset: usdc, limit }))
    expect(give({ asset: usdc }).code).toBe('createClaimableBalanceNoTrust')
    trust(giver, '100')
    expect(give({ asset: usdc }).code).toBe('createClaimableBalanceUnderfunded')
    const { balanceId } = give({ asset: usdc, source: usdcIssuer })
    expect(claim(taker, balanceId)).toBe('claimClaimableBalanceNoTrust')
    trust(taker, '9')
    expect(claim(taker, balanceId)).toBe('claimClaimableBalanceLineFull')
    trust(taker, '10')
    expect(claim(taker, balanceId)).toBe('txSuccess')
    expect(trustline(sandbox, taker, usdc).balance).toBe(100_000_000n)
  })

  it('a claimable balance without claimants is malformed', () => {
    const create = new xdr.CreateClaimableBalanceOp({ asset: native.toXdrObject(), amount: 1n, claimants: [] })
    const body = xdr.OperationBody.createClaimableBalance(create)
    expect(run(giver, new xdr.Operation({ sourceAccount: null, body }))).toBe('createClaimableBalanceMalformed')
  })

  const twice = [claimable(taker), claimable(taker)]
  const deep = [1, 2, 3, 4].reduce((predicate) => Claimant.predicateNot(predicate), always)
  it.each([
    ['the same account twice', twice],
    ['a predicate nested five deep', [claimable(taker, deep)]],
    ['a time before 1970', [claimable(taker, Claimant.predicateBeforeAbsoluteTime('-1'))]],
  ])('a claimable balance is malformed when claimable by %s', (_, claimants) => {
    expect(give({ claimants }).code).toBe('createClaimableBalanceMalformed')
  })
})

describe('a predicate', () => {
  const soon = () => `${sandbox.clock().now / 1_000 + 10}`
  const before = () => Claimant.predicateBeforeAbsoluteTime(soon())
  const never = Claimant.predicateNot(always)
  const predicates = {
    'before a time': [before, true, false],
    'not before a time': [() => Claimant.predicateNot(before()), false, true],
    'within seconds of its creation': [() => Claimant.predicateBeforeRelativeTime('10'), true, false],
    'both of two': [() => Claimant.predicateAnd(always, before()), true, false],
    'one of two': [() => Claimant.predicateOr(never, before()), true, false],
    'either of two': [() => Claimant.predicateOr(Claimant.predicateNot(before()), before()), true, true],
    never: [() => never, false, false],
  } as const

  it.each(Object.entries(predicates))('predicate “%s” holds at its time', (_, [predicate, early, late]) => {
    const code = (holds: boolean) => (holds ? 'txSuccess' : 'claimClaimableBalanceCannotClaim')
    const claimants = [claimable(taker, predicate())]
    const [one, two] = [give({ claimants }), give({ claimants })]
    expect(claim(taker, one.balanceId)).toBe(code(early))
    wall.add(20_000)
    expect(claim(taker, two.balanceId)).toBe(code(late))
  })

  it('a relative predicate holds until the second before its time', () => {
    const claimants = [claimable(taker, Claimant.predicateBeforeRelativeTime('2'))]
    const [one, two] = [give({ claimants }), give({ claimants })]
    expect(claim(taker, two.balanceId)).toBe('txSuccess')
    expect(claim(taker, one.balanceId)).toBe('claimClaimableBalanceCannotClaim')
  })
})

describe('clawing a claimable balance back', () => {
  const clawback = (key: Keypair, balanceId: string) => run(key, Operation.clawbackClaimableBalance({ balanceId }))

  it('only the issuer claws a claimable balance back, if clawback was enabled', () => {
    const plain = give({ asset: usdc, source: usdcIssuer })
    run(usdcIssuer, Operation.setOptions({ setFlags: 10 }))
    const enabled = give({ asset: usdc, source: usdcIssuer })
    expect(clawback(giver, enabled.balanceId)).toBe('clawbackClaimableBalanceNotIssuer')
    expect(clawback(giver, give().balanceId)).toBe('clawbackClaimableBalanceNotIssuer')
    expect(clawback(usdcIssuer, plain.balanceId)).toBe('clawbackClaimableBalanceNotClawbackEnabled')
    expect(clawback(usdcIssuer, enabled.balanceId)).toBe('txSuccess')
    expect(clawback(usdcIssuer, enabled.balanceId)).toBe('clawbackClaimableBalanceDoesNotExist')
    expect(sponsoring(usdcIssuer)).toBe(1)
  })
})
