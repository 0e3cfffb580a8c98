import { Asset, Operation } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  funded,
  keyNumber,
  outcomeOf,
  sandboxInMemory,
  signed,
  trustline,
  usdc,
  usdcIssuer,
} from '../testing/fixture.ts'

const holder = keyNumber(1)

let sandbox: Sandbox
beforeEach(async () => {
  sandbox = sandboxInMemory()
  await funded(sandbox, holder)
})

const trust = (limit: string, asset = usdc, key = holder) =>
  outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset, limit })]))

const give = (amount: string) =>
  outcomeOf(
    sandbox,
    signed(sandbox, usdcIssuer, [Operation.payment({ destination: holder.publicKey(), asset: usdc, amount })]),
  )

describe('changing trust', () => {
  it('opens a trustline, which is a subentry', () => {
    expect(trust('100')).toBe('txSuccess')
    const { balance, limit, flags } = trustline(sandbox, holder, usdc)
    expect({ balance, limit, flags }).toEqual({ balance: 0n, limit: 1_000_000_000n, flags: 1 })
    expect(accountEntry(sandbox, holder).numSubEntries).toBe(1)
  })

  it('lowers a limit to the balance and not below', () => {
    trust('100')
    give('10')
    expect(trust('9.9999999')).toBe('changeTrustInvalidLimit')
    expect(trust('10')).toBe('txSuccess')
    expect(accountEntry(sandbox, holder).numSubEntries).toBe(1)
  })

  it('a limit must leave room for buying liabilities', () => {
    trust('100')
    give('10')
    const bid = Operation.manageBuyOffer({ selling: Asset.native(), buying: usdc, buyAmount: '5', price: '1' })
    expect(outcomeOf(sandbox, signed(sandbox, holder, [bid]))).toBe('txSuccess')
    expect(trust('14.9999999')).toBe('changeTrustInvalidLimit')
    expect(trust('15')).toBe('txSuccess')
  })

  it('limit 0 closes a trustline only if it is empty', () => {
    trust('100')
    give('10')
    expect(trust('0')).toBe('changeTrustInvalidLimit')
    const back = Operation.payment({ destination: usdcIssuer.publicKey(), asset: usdc, amount: '10' })
    outcomeOf(sandbox, signed(sandbox, holder, [back]))
    expect(trust('0')).toBe('txSuccess')
    expect(() => trustline(sandbox, holder, usdc)).toThrow('no such trustline')
    expect(accountEntry(sandbox, holder).numSubEntries).toBe(0)
    expect(trust('0')).toBe('changeTrustInvalidLimit')
  })

  it('a trustline needs an existing issuer', () => {
    expect(trust('1', new Asset('USDC', keyNumber(9).publicKey()))).toBe('changeTrustNoIssuer')
  })

  it('a trustline of the issuer itself is malformed', () => {
    expect(trust('1', usdc, usdcIssuer)).toBe('changeTrustMalformed')
  })

  it.each([
    ['1.5', 'changeTrustLowReserve'],
    ['1.50001', 'txSuccess'],
  ])('needs half an XLM more of reserve: %s', (startingBalance, outcome) => {
    const poor = keyNumber(3)
    const create = Operation.createAccount({ destination: poor.publicKey(), startingBalance })
    outcomeOf(sandbox, signed(sandbox, holder, [create]))
    expect(trust('1', usdc, poor)).toBe(outcome)
  })

  it("a trustline allows clawback when the issuer's flag is set", () => {
    outcomeOf(sandbox, signed(sandbox, usdcIssuer, [Operation.setOptions({ setFlags: 10 })]))
    trust('100')
    expect(trustline(sandbox, holder, usdc).flags).toBe(5)
  })
})
