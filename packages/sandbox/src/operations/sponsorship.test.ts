import { Asset, type Keypair, Operation, type xdr } from '@stellar/stellar-sdk'
import { extensionOf } from '../ledger/account-extension.ts'
import type { Sandbox } from '../sandbox-api.ts'
import { accountEntry, funded, keyNumber, outcomeOf, sandboxInMemory, signed, usdc } from '../testing/fixture.ts'

const sponsor = keyNumber(1)
const sponsored = keyNumber(2)
const third = keyNumber(3)
const newcomer = keyNumber(4)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, sponsor, sponsored, third)
})

const everyone = [sponsor, sponsored, third, newcomer]
const nameOf = (key: Keypair) => key.publicKey()

/** Runs operations in the first key's transaction, signed by exactly the accounts that act in it. */
const run = (...operations: ReadonlyArray<xdr.Operation>) => {
  const acting = (key: Keypair) =>
    key === sponsor || operations.some(({ sourceAccount }) => sourceAccount?.equals(key.xdrMuxedAccount()))
  return outcomeOf(sandbox, signed(sandbox, sponsor, operations, { signers: everyone.filter(acting) }))
}
const begin = (one: Keypair, by: Keypair = sponsor) =>
  Operation.beginSponsoringFutureReserves({ sponsoredId: nameOf(one), source: nameOf(by) })
const end = (one: Keypair) => Operation.endSponsoringFutureReserves({ source: nameOf(one) })
const trust = (one: Keypair, limit = '10') => Operation.changeTrust({ asset: usdc, limit, source: nameOf(one) })
const sandwich = (one: Keypair, ...operations: ReadonlyArray<xdr.Operation>) => run(begin(one), ...operations, end(one))

const counts = (key: Keypair) => {
  const account = accountEntry(sandbox, key)
  const { numSponsoring, numSponsored } = extensionOf(account)
  return { subentries: account.numSubEntries, sponsoring: numSponsoring, sponsored: numSponsored }
}
const counted = (sponsoring: number, sponsoredCount: number, subentries: number) => ({
  subentries,
  sponsoring,
  sponsored: sponsoredCount,
})

describe('sponsoring future reserves', () => {
  it('a sponsor carries a trustline’s reserve until the trustline is removed', () => {
    expect(sandwich(sponsored, trust(sponsored))).toBe('txSuccess')
    expect([counts(sponsor), counts(sponsored)]).toEqual([counted(1, 0, 0), counted(0, 1, 1)])
    expect(run(trust(sponsored, '0'))).toBe('txSuccess')
    expect([counts(sponsor), counts(sponsored)]).toEqual([counted(0, 0, 0), counted(0, 0, 0)])
  })

  it('a sponsored account may start with nothing: its two reserves are the sponsor’s', () => {
    const create = Operation.createAccount({ destination: nameOf(newcomer), startingBalance: '0' })
    expect(sandwich(newcomer, create)).toBe('txSuccess')
    expect(accountEntry(sandbox, newcomer).balance).toBe(0n)
    expect([counts(sponsor), counts(newcomer)]).toEqual([counted(2, 0, 0), counted(0, 2, 0)])
    const merge = Operation.accountMerge({ destination: nameOf(sponsor), source: nameOf(newcomer) })
    expect(run(merge)).toBe('txSuccess')
    expect(counts(sponsor)).toEqual(counted(0, 0, 0))
  })

  it("an account names each signer's sponsor in the order of its signers", () => {
    const signer = (key: Keypair, weight = 1) =>
      Operation.setOptions({ signer: { ed25519PublicKey: nameOf(key), weight }, source: nameOf(sponsored) })
    run(signer(third))
    expect(sandwich(sponsored, signer(newcomer))).toBe('txSuccess')
    const account = accountEntry(sandbox, sponsored)
    const named = account.signers.map(({ key }, at) => ({
      key: key.toXdr('hex'),
      sponsor: extensionOf(account).signerSponsors[at]?.toXdr('hex') ?? null,
    }))
    const entry = (key: Keypair, by: Keypair | null) => ({
      key: `00000000${Buffer.from(key.rawPublicKey()).toString('hex')}`,
      sponsor: by?.xdrAccountId().toXdr('hex') ?? null,
    })
    const expected = [entry(third, null), entry(newcomer, sponsor)]
    expect(named).toEqual(expected.toSorted((one, other) => (one.key < other.key ? -1 : 1)))
    run(signer(newcomer, 0))
    expect([counts(sponsor), counts(sponsored)]).toEqual([counted(0, 0, 0), counted(0, 0, 1)])
  })

  it('the sponsored account must end the sponsorship in the same transaction', () => {
    expect(run(begin(sponsored), trust(sponsored))).toBe('txBadSponsorship')
    expect(counts(sponsored)).toEqual(counted(0, 0, 0))
    expect(run(end(sponsored))).toBe('endSponsoringFutureReservesNotSponsored')
  })

  it('an account has one sponsor, which is not sponsored itself', () => {
    expect(run(begin(sponsor))).toBe('beginSponsoringFutureReservesMalformed')
    expect(run(begin(sponsored), begin(sponsored, third))).toBe('beginSponsoringFutureReservesAlreadySponsored')
    expect(run(begin(sponsored), begin(third, sponsored))).toBe('beginSponsoringFutureReservesRecursive')
    expect(run(begin(sponsored), begin(sponsor, third))).toBe('beginSponsoringFutureReservesRecursive')
  })

  it('sponsoring never takes a sponsor below its own reserve', () => {
    const empty = Operation.payment({
      source: nameOf(sponsored),
      destination: nameOf(third),
      asset: Asset.native(),
      amount: '9998.6',
    })
    run(empty)
    // 1.4 XLM remain: the reserve of 1, and less than another half.
    expect(run(begin(third, sponsored), trust(third), end(third))).toBe('changeTrustLowReserve')
    expect(run(trust(sponsored))).toBe('changeTrustLowReserve')
    expect(sandwich(sponsored, trust(sponsored))).toBe('txSuccess')
  })

  it('sponsored reserves reduce what the sponsor can spend', () => {
    sandwich(sponsored, trust(sponsored))
    const { balance } = accountEntry(sandbox, sponsor)
    const all = balance - 10_000_000n - 5_000_000n - 100n
    const pay = (stroops: bigint) =>
      run(
        Operation.payment({
          destination: nameOf(third),
          asset: Asset.native(),
          amount: `${stroops / 10_000_000n}.${(stroops % 10_000_000n).toString().padStart(7, '0')}`,
        }),
      )
    expect(pay(all + 1n)).toBe('paymentUnderfunded')
    expect(pay(all - 100n)).toBe('txSuccess')
  })
})

describe('revoking a sponsorship', () => {
  const revoke = (by: Keypair) =>
    Operation.revokeTrustlineSponsorship({ account: nameOf(sponsored), asset: usdc, source: nameOf(by) })

  it('revoking returns the reserve to an owner that can afford it', () => {
    sandwich(sponsored, trust(sponsored))
    expect(run(revoke(sponsor))).toBe('txSuccess')
    expect([counts(sponsor), counts(sponsored)]).toEqual([counted(0, 0, 0), counted(0, 0, 1)])
  })

  it('revoking is refused where the owner cannot afford the reserve', () => {
    sandwich(
      newcomer,
      Operation.createAccount({ destination: nameOf(newcomer), startingBalance: '0' }),
      trust(newcomer),
    )
    const line = Operation.revokeTrustlineSponsorship({ account: nameOf(newcomer), asset: usdc })
    const account = Operation.revokeAccountSponsorship({ account: nameOf(newcomer) })
    expect(run(line)).toBe('revokeSponsorshipLowReserve')
    expect(run(account)).toBe('revokeSponsorshipLowReserve')
    run(Operation.payment({ destination: nameOf(newcomer), asset: Asset.native(), amount: '1.5' }))
    expect(run(account, line)).toBe('txSuccess')
    expect([counts(sponsor), counts(newcomer)]).toEqual([counted(0, 0, 0), counted(0, 0, 1)])
  })

  it("revoking passes the reserve to the revoking account's own sponsor", () => {
    sandwich(sponsored, trust(sponsored))
    expect(run(begin(sponsor, third), revoke(sponsor), end(sponsor))).toBe('txSuccess')
    expect([counts(sponsor), counts(sponsored), counts(third)]).toEqual([
      counted(0, 0, 0),
      counted(0, 1, 1),
      counted(1, 0, 0),
    ])
  })

  it('an owner may pass its own reserve to a sponsor', () => {
    run(trust(sponsored))
    expect(sandwich(sponsored, revoke(sponsored))).toBe('txSuccess')
    expect([counts(sponsor), counts(sponsored)]).toEqual([counted(1, 0, 0), counted(0, 1, 1)])
  })

  it('only the sponsor, or an unsponsored owner, may revoke, and only for an existing entry', () => {
    expect(run(revoke(sponsor))).toBe('revokeSponsorshipDoesNotExist')
    run(trust(sponsored))
    expect(run(revoke(sponsor))).toBe('revokeSponsorshipNotSponsor')
    expect(run(revoke(sponsored))).toBe('txSuccess')
    sandwich(third, trust(third))
    const own = Operation.revokeTrustlineSponsorship({ account: nameOf(third), asset: usdc, source: nameOf(third) })
    expect(run(own)).toBe('revokeSponsorshipNotSponsor')
  })

  it('revoking works for signers as for entries', () => {
    const signer = { ed25519PublicKey: nameOf(third), weight: 1 }
    sandwich(sponsored, Operation.setOptions({ signer, source: nameOf(sponsored) }))
    const revokeSigner = (by: Keypair) =>
      Operation.revokeSignerSponsorship({
        account: nameOf(sponsored),
        signer: { ed25519PublicKey: nameOf(third) },
        source: nameOf(by),
      })
    expect(run(revokeSigner(sponsored))).toBe('revokeSponsorshipNotSponsor')
    expect(run(revokeSigner(sponsor))).toBe('txSuccess')
    expect([counts(sponsor), counts(sponsored)]).toEqual([counted(0, 0, 0), counted(0, 0, 1)])
  })

  it('revoking can only transfer a claimable balance, which has no owner', () => {
    const balanceId = `00000000${'00'.repeat(32)}`
    expect(run(Operation.revokeClaimableBalanceSponsorship({ balanceId }))).toBe('revokeSponsorshipDoesNotExist')
  })
})
