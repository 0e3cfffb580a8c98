import { readFileSync } from 'node:fs'
import { count, hourMs, LedgerSequence, minuteMs, type Stroops, secondMs, stroops, unixMs } from '@quittance/domain'
import { decoded } from '@quittance/domain/testing'
import { deployContract, type MandateTerms, signerOfSecret } from '@quittance/ledger'
import { type Club, openClub } from '../../testing/club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openShop } from '../../testing/shop.ts'
import { units, type Wallet } from '../../testing/wallets.ts'

const dayMs = 24 * hourMs
let people = 0
const someone = () => `reader-${++people}@club.example`

describe('mandates that were not offered', () => {
  let club: Club
  beforeAll(async () => {
    club = await openClub()
  })
  afterAll(() => club.close())
  const wallet = () => club.wallets.wallet(20 + ++people)
  const balance = async (of: Wallet): Promise<Stroops> => {
    const { usdc } = club.network
    const [held] = await done(club.network.gateway.balances([{ account: of.account, assetId: usdc.assetId }]))
    return present(present(held).held)
  }
  /** A session with an offer to a wallet, and the terms of it. */
  const offer = async (trialDays = 0) => {
    const reader = await wallet()
    const id = await club.join(await club.club({ trialDays: count(trialDays) }), someone())
    await club.offered(id, reader)
    return { reader, id, terms: await club.termsOf(id), before: await balance(reader) }
  }
  /** How a session stands at its deadline, and what came of the money. */
  const atDeadline = async (id: string) => {
    await club.pass(dayMs)
    const { status, failure_reason } = await club.checkout(id)
    return { status, failure_reason }
  }

  const alterations: ReadonlyArray<[string, (terms: MandateTerms) => Partial<MandateTerms>]> = [
    ['a lower cap', ({ cap }) => ({ cap: stroops(cap - 1n) })],
    ['a higher cap', ({ cap, allowance }) => ({ cap: stroops(cap * 2n), allowance: stroops(allowance * 2n) })],
    ['a longer interval', () => ({ intervalUnit: 'year' as const })],
    ['a lower first amount', () => ({ firstAmount: stroops(1_000n) })],
    ['a later first charge', ({ firstChargeAt }) => ({ firstChargeAt: unixMs(firstChargeAt + 365 * dayMs) })],
    ['an end', ({ firstChargeAt }) => ({ endsAt: unixMs(firstChargeAt + dayMs) })],
    ['an operator of its own', () => ({ operator: club.other.account })],
    ['a lower allowance', ({ cap }) => ({ allowance: cap })],
    ['an earlier expiry', ({ allowanceExpiryLedger }) => ({ allowanceExpiryLedger: earlier(allowanceExpiryLedger) })],
    ['another asset', () => ({ assetId: club.network.eurc.assetId })],
  ]
  it.each(alterations)(
    'refuses a mandate with %s, returns its money, and fails the session at its deadline',
    async (_, altered) => {
      const { reader, id, terms, before } = await offer()
      await club.create(reader, { ...terms, ...altered(terms) })
      await club.pass()
      expect(await club.checkout(id)).toMatchObject({ status: 'open', subscription_id: null, payment_id: null })
      expect((await club.state(id)).refusedEnrolments.map(({ reason }) => reason)).toEqual(['not_offered'])
      expect(await club.exceptionsOf(id)).toHaveLength(1)
      for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
      expect(await balance(reader)).toBe(before)
      expect(await atDeadline(id)).toEqual({ status: 'failed', failure_reason: 'authorization_failed' })
    },
  )

  /** An offer at 40 XLM, signed twenty hours later in a transaction of the wallet's own, when XLM is worth less. */
  const signsLate = async (trialDays: number, isViewed: boolean) => {
    const { network } = club
    const reader = await wallet()
    const product = await club.club({ assetId: network.xlm.assetId, trialDays: count(trialDays) })
    const id = await club.join(product, someone())
    await club.offered(id, reader)
    const terms = await club.termsOf(id)
    network.wait(20 * hourMs)
    network.rates.percent = 95
    if (isViewed) await done(club.billing.payer.quote(id))
    const hash = await club.create(reader, terms)
    for (let ledgers = 0; ledgers < 5; ledgers++) await club.pass()
    network.rates.percent = 100
    return { id, hash }
  }
  it.each([
    ['while no quote is valid', 0, false, 40],
    ['while the quote is dearer', 0, true, 40],
    ['for a trial, while no quote is valid', 14, false, 0],
    ['for a trial, while the quote is dearer', 14, true, 0],
  ])(
    'does not count a mandate that is signed twenty hours after its offer, %s',
    async (_, trialDays, isViewed, returned) => {
      const { id, hash } = await signsLate(trialDays, isViewed)
      expect(await club.checkout(id)).toMatchObject({ status: 'open', subscription_id: null, payment_id: null })
      const { refusedEnrolments } = await club.state(id)
      expect(refusedEnrolments).toMatchObject([{ reason: 'stale_price', transactionHash: hash }])
      expect(await club.exceptionsOf(id)).toEqual(
        returned === 0 ? [] : [{ kind: 'authorization_failed', amount: units(returned) }],
      )
      expect(await atDeadline(id)).toEqual({ status: 'failed', failure_reason: 'authorization_failed' })
    },
  )

  it('keeps the session open to another wallet, without an exception, after an unoffered mandate without money', async () => {
    const { reader, id, terms } = await offer(14)
    await club.create(reader, { ...terms, cap: stroops(terms.cap * 2n), allowance: stroops(terms.allowance * 2n) })
    await club.pass()
    expect(await club.checkout(id)).toMatchObject({ status: 'open' })
    expect(await club.exceptionsOf(id)).toEqual([])
    // Its own wallet has used the reference up, and is told so.
    expect(await refused(club.billing.payer.transaction(id, reader.account))).toEqual({
      _tag: 'MandateUnfit',
      because: 'exists',
    })
    await club.enrol(id, await wallet())
    expect(await club.checkout(id)).toMatchObject({ status: 'completed' })
  })

  it('ignores a mandate to another merchant’s account with the session’s reference, and returns its money', async () => {
    const { reader, terms, id, before } = await offer()
    const stranger = await openOther()
    await club.create(reader, { ...terms, payee: stranger })
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect((await club.state(id)).refusedEnrolments).toEqual([])
    expect(await balance(reader)).toBe(before)
  })

  it('ignores a mandate in a look-alike of the contract, and leaves its money undecided for want of a known sender', async () => {
    const { reader, id, terms } = await offer()
    const contract = await lookAlike()
    await club.create(reader, { ...terms, contract })
    await club.pass()
    expect((await club.state(id)).refusedEnrolments).toEqual([])
    expect(await club.checkout(id)).toMatchObject({ status: 'open', subscription_id: null })
    const last = (await (await club.platform.shown()).exceptions.all()).at(-1)
    expect(last?.row.details).toMatchObject({ kind: 'unmatched', amount: terms.firstAmount, from: reader.account })
    expect(last?.row).toMatchObject({ undecided: 'sender_unknown' })
  })

  it('returns the money of a mandate with an unknown reference', async () => {
    const { reader, terms, before } = await offer()
    await club.create(reader, { ...terms, reference: 'chk_0000000000000000000000' })
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect((await club.exceptionsOf(null)).map(({ kind }) => kind)).toContain('unmatched')
    expect(await balance(reader)).toBe(before)
  })

  it('does not let a mandate pay for a one-time sale, and returns its money', async () => {
    const { reader, terms, before } = await offer()
    const { id } = await club.sell()
    await club.create(reader, { ...terms, reference: id })
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await club.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    expect(await balance(reader)).toBe(before)
  })

  it('does not charge twice for one reference, because the contract refuses its second mandate', async () => {
    const { reader, id, terms } = await offer()
    await club.enrol(id, reader)
    const before = await balance(reader)
    await expect(club.create(reader, terms)).rejects.toThrow('101')
    expect(await balance(reader)).toBe(before)
    expect(await club.payments(id)).toHaveLength(1)
  })

  it('starts one subscription when two wallets sign at once, and returns the money of the other wallet', async () => {
    const id = await club.join(await club.club(), someone())
    const readers = [await wallet(), await wallet()]
    const balances = await Promise.all(readers.map(balance))
    for (const reader of readers) {
      await done(club.billing.payer.submit(id, reader.sign((await club.offered(id, reader)).transaction_xdr)))
    }
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await club.checkout(id)).toMatchObject({ status: 'completed' })
    expect((await club.state(id)).refusedEnrolments.map(({ reason }) => reason)).toEqual(['already_enrolled'])
    expect((await club.exceptionsOf(id)).map(({ kind }) => kind)).toEqual(['paid_twice'])
    expect((await club.payments(id)).map(({ status }) => status)).toEqual(['confirmed'])
    const after = await Promise.all(readers.map(balance))
    const paid = after.map((held, index) => present(balances[index]) - held)
    expect([...paid].sort()).toEqual([0n, 100_000_000n])
  })

  it('starts no subscription for a mandate after the deadline, and returns its money as late', async () => {
    const { reader, id, terms, before } = await offer()
    club.network.wait(dayMs)
    await club.create(reader, terms)
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await club.checkout(id)).toMatchObject({ status: 'expired', subscription_id: null })
    expect((await club.exceptionsOf(id)).map(({ kind }) => kind)).toEqual(['late'])
    expect(await balance(reader)).toBe(before)
  })

  it('relays neither a mandate of another session nor a plain payment', async () => {
    const { reader, id, terms } = await offer()
    const mine = await club.join(await club.club(), someone())
    const { transaction_xdr } = await club.offered(mine, reader)
    const submit = (envelope: string) => refused(club.billing.payer.submit(id, envelope))
    expect((await submit(reader.sign(transaction_xdr)))._tag).toBe('MandateNotOffered')
    const { usdc } = club.network
    const plain = { to: terms.payee, asset: usdc.assetId, parts: [terms.firstAmount], memo: id }
    const maxTime = Math.floor((club.network.now() + 5 * minuteMs) / secondMs)
    expect((await submit(reader.signedPayment(plain, maxTime)))._tag).toBe('MandateNotOffered')
  })

  it('does not accept a plain payment with the session’s memo for a subscription, and returns it', async () => {
    const { reader, id, terms, before } = await offer()
    await club.pay(id, [terms.firstAmount], { from: reader })
    for (let ledgers = 0; ledgers < 4; ledgers++) await club.pass()
    expect(await club.checkout(id)).toMatchObject({ status: 'open', payment_id: null })
    expect((await club.exceptionsOf(id)).map(({ kind }) => kind)).toEqual(['authorization_failed'])
    expect(await balance(reader)).toBe(before)
    expect(await atDeadline(id)).toEqual({ status: 'failed', failure_reason: 'authorization_failed' })
  })

  const earlier = (ledger: MandateTerms['allowanceExpiryLedger']) => decoded(LedgerSequence, ledger - 1)
  /** The same code under an address of its own, as anyone can have it. */
  const lookAlike = async (): Promise<MandateTerms['contract']> => {
    const { gateway } = club.network
    const pause = async () => club.network.wait(1000)
    const signer = present(signerOfSecret(club.other.secret))
    const wasm = readFileSync(new URL('../../../../../contracts/mandate/quittance_mandate.wasm', import.meta.url))
    const order = { wasm, deployer: club.other.account, signer, liveFor: 0, resourceFeeLimit: units(100) }
    return (await done(deployContract(gateway, pause)(order))).contract
  }
  const openOther = async () => {
    const merchantId = await openShop(club.platform)
    return (await done(club.services.settlementOf(merchantId, 'testnet'))).account
  }
})
